/**
 * Transcripts: what a person types and sees. `#` says why, `$` is typed, `<` is on stdin, `>` comes on stdout, `!` on
 * stderr, `?` is the exit code where it is not 0. As in a shell, variables may stand before the command, and `> FILE`
 * behind it. Every file has a sandbox of its own, on a clock that stands still.
 * `UPDATE=1 npx vitest run test/transcripts.test.ts` writes what is seen now; read the difference before you commit it.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { wordsOf } from '../src/text/shell-words.ts'
import { type Options, type Ran, World } from './world.ts'

/** Who types: a world in this process, or a real program. */
export interface Player {
  /** Shown as `~`. */
  readonly folder: string
  run(argv: readonly string[], options: Pick<Options, 'env' | 'stdin'>): Promise<Ran>
  remove(): void
}

/** The line that every command in the sandbox says; checked at each, shown in none. */
const notice = 'sandbox: made-up data on this machine\n'

// What is said in local time is the same everywhere.
process.env.TZ = 'UTC'

export async function play(transcript: string, player: Player = new World()): Promise<string> {
  try {
    const blocks = transcript.split(/\n(?=\n|$)/).map(block => block.replace(/^\n/, ''))
    const seen: string[] = []
    for (const block of blocks) seen.push(await playBlock(block, player))
    return seen.join('\n\n')
  } finally {
    player.remove()
  }
}

async function playBlock(block: string, player: Player): Promise<string> {
  const typed = block.split('\n').filter(line => /^[#$<]/.test(line))
  const seen: string[] = []
  for (let i = 0; i < typed.length; i++) {
    const line = typed[i] ?? ''
    seen.push(line)
    if (!line.startsWith('$')) continue
    const stdin: string[] = []
    while (typed[i + 1]?.startsWith('<')) {
      const given = typed[++i] ?? ''
      seen.push(given)
      stdin.push(given.slice(2))
    }
    seen.push(...(await enter(line.slice(2), stdin, player)))
  }
  return seen.join('\n')
}

async function enter(line: string, stdin: string[], player: Player): Promise<string[]> {
  const words = wordsOf(line)
  const start = words.findIndex(word => !/^[A-Z_]+=/.test(word))
  const variables = Object.fromEntries(words.slice(0, start).map(word => word.split(/=(.*)/s, 2)))
  const { program, argv, file } = lineOf(words.slice(start))
  if (program !== 'analytics') throw new Error(`A transcript types analytics, not ${program}`)
  const { stdout, stderr, code } = await player.run(argv, {
    env: { ANALYTICS_SANDBOX: '1', ...variables },
    ...(stdin.length > 0 ? { stdin: `${stdin.join('\n')}\n` } : {}),
  })
  if (file !== undefined) writeFileSync(join(player.folder, file), stdout)
  return [
    ...lines('>', file === undefined ? everywhere(stdout, player) : ''),
    ...lines('!', everywhere(stderr.replace(notice, ''), player)),
    ...(code === 0 ? [] : [`? ${code}`]),
  ]
}

/** `> FILE` behind a command writes its stdout to that file. */
function lineOf([program = '', ...words]: readonly string[]) {
  const at = words.indexOf('>')
  return at < 0 ? { program, argv: words } : { program, argv: words.slice(0, at), file: words[at + 1] }
}

/** The same on every machine: a plan, and so its digest, names the machine that wrote it. */
function everywhere(text: string, { folder }: Player): string {
  return text.replaceAll(folder, '~').replace(/plan-[0-9a-f]{16}/g, 'plan-…')
}

function lines(mark: string, text: string): string[] {
  if (text === '') return []
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map(line => `${mark} ${line}`.trimEnd())
}
