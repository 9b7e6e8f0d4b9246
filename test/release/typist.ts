/**
 * Types transcripts into a real program: with processes, folders, and the machine's own clock. Times, job ids and the
 * widths that follow from them differ from run to run; everything else is what the transcript shows.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { Player } from '../transcript.ts'

export interface Place {
  /** Made empty, and removed at the end. */
  readonly folder: string
  /** Its path as the program sees it. */
  readonly seenAs?: string
  /** The program, with the words before it that lead to where it runs. */
  readonly program: readonly [string, ...string[]]
}

export function typist({ folder, seenAs = folder, program: [command, ...words] }: Place): Player {
  mkdirSync(folder, { recursive: true })
  return {
    folder: seenAs,
    async run(argv, { env, stdin }) {
      const typed = argv.map(word => word.replaceAll(writtenJob, written => jobOf(written, join(folder, 'state/jobs'))))
      const child = spawn(command, [...words, ...typed], {
        cwd: folder,
        env: {
          HOME: seenAs,
          TMPDIR: seenAs,
          TZ: 'UTC',
          ANALYTICS_STATE_DIR: `${seenAs}/state`,
          ANALYTICS_CONFIG_DIR: `${seenAs}/config`,
          ...env,
        },
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      child.stdin.on('error', () => undefined).end(stdin)
      const ended = new Promise<number>((resolve, reject) => {
        child.once('error', reject)
        child.once('close', code => resolve(code ?? -1))
      })
      const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
      // Jobs that begin in one second have no order.
      if (/^(Deleting|Changing) /m.test(stderr)) await setTimeout(1000 - (Date.now() % 1000))
      return { stdout, stderr, code }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The clock of a transcript stands still, so its jobs differ by a number only: none for the first, then 2, 3 and so on. */
const writtenJob = /\d{8}-\d{6}-i00(\d)(?:-(\d+))?/g

function jobOf(written: string, folder: string): string {
  const [, last, number = '1'] = new RegExp(writtenJob.source).exec(written) ?? []
  const begun = (name: string) => statSync(join(folder, name)).birthtimeMs
  if (!existsSync(folder)) return written
  const jobs = readdirSync(folder).sort((a, b) => begun(a) - begun(b))
  const job = jobs[Number(number) - 1] ?? written
  // A word that is nearly the id of a job.
  return last === '0' ? job : job.slice(0, -1) + (job.endsWith('0') ? '1' : '0')
}

/** Who is at the machine of the transcripts, and at this one. */
const actor = new RegExp(`[\\w-]+@(?:laptop|${hostname()})`, 'g')

/** What stays the same from run to run. */
export function lasting(seen: string): string {
  return (
    seen
      .replace(/\d{8}-\d{6}-[a-z0-9]{4}(-\d+)?/g, 'JOB')
      .replace(/\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z| UTC)?)?/g, 'TIME')
      .replace(/\(\d+ s(, [\d.,]+\/s)?\)/g, '(SECONDS)')
      .replace(/\d+ ms/g, 'MS')
      .replace(actor, 'ACTOR')
      .replace(/\d+ (days|months) ago/g, 'AGO')
      .replace(/(analytics|Node\.js) \d+\.\d+\.\d+(-test)?/g, '$1 VERSION')
      .replace(/ {2,}/g, '  ')
      // Where the clock stands still, the order of jobs is another one.
      .replace(/(?:^> JOB .*\n)+/gm, rows => rows.split('\n').sort().join('\n'))
  )
}
