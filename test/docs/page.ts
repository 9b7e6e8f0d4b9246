/**
 * A page of `docs/` whose shell blocks are run, one after the other in one shell, and whose output is compared: the block
 * without a language below one shows the output, both streams in their order. `…` is any text, and on a line of its own
 * any lines. A block that does not end with 0 says so: `# exit code 9`.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { bin, machine } from '../process/program.ts'

/** The line that every command prints in the sandbox, which pages leave out. */
const notice = 'sandbox: made-up data on this machine\n'

interface Block {
  readonly script: string
  readonly exit: number
  /** What the page shows; undefined where it shows nothing. */
  readonly shown: string | undefined
  readonly line: number
}

export interface Ran {
  readonly exit: number
  readonly seen: string
}

const pattern = /^```sh\n(.*?)^```\n(?:\n```\n(.*?)^```\n)?/gms

export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(pattern)].map(([, script = '', shown], i, all) => ({
    script,
    shown,
    exit: Number(/# exit code (\d+)\n$/.exec(script)?.[1] ?? 0),
    line: page.slice(0, all[i]?.index ?? 0).split('\n').length,
  }))
}

/** Runs the blocks in an empty folder that is a home of its own, with `analytics` on the path. */
export function run(blocks: readonly Block[]): readonly Ran[] {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-docs-'))
  try {
    mkdirSync(join(folder, 'bin'))
    mkdirSync(join(folder, 'seen'))
    mkdirSync(join(folder, 'here'))
    const program = `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`
    writeFileSync(join(folder, 'bin/analytics'), program, { mode: 0o755 })
    const script = blocks.map(
      ({ script }, i) => `{\n${script}} >../seen/${i} 2>&1 </dev/null; echo $? >../seen/${i}.exit\n`,
    )
    spawnSync('bash', ['-c', script.join('')], {
      cwd: join(folder, 'here'),
      env: {
        ...machine,
        PATH: [join(folder, 'bin'), machine.PATH].join(delimiter),
        HOME: folder,
        TZ: 'UTC',
        LC_ALL: 'C',
      },
      stdio: 'ignore',
    })
    const read = (name: string) =>
      readFileSync(join(folder, 'seen', name), 'utf8')
        .replaceAll(notice, '')
        .replaceAll(folder, '~')
        // A run of a second or more prints how long it took, as on a busy machine.
        .replace(/ \(\d+ s\)$/gm, '')
        // ssh-keygen ends lines with CR LF.
        .replaceAll('\r\n', '\n')
    return blocks.map((_, i) => ({ seen: read(`${i}`), exit: Number(read(`${i}.exit`)) }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether the output matches what the page shows. */
export function matches(seen: string, shown: string): boolean {
  const lines = shown.split('\n').map(line => (line === '…' ? '(?:.*\n)*?' : `${escaped(line)}\n`))
  return new RegExp(`^${lines.join('').replace(/\n$/, '')}$`).test(seen)
}

function escaped(line: string): string {
  return line
    .split('…')
    .map(text => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*')
}

/** The page with the new output where it differs. */
export function updated(page: string, ran: readonly Ran[]): string {
  let i = 0
  return page.replace(pattern, (whole, script: string, shown: string | undefined) => {
    const seen = ran[i++]?.seen ?? ''
    if (shown === undefined || matches(seen, shown)) return whole
    return `\`\`\`sh\n${script}\`\`\`\n\n\`\`\`\n${seen}\`\`\`\n`
  })
}
