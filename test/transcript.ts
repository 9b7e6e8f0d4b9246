/**
 * Transcripts: what a user types and sees, in blocks between empty lines.
 *
 *   # is a comment
 *   $ is typed: `analytics` or any line of sh, with variables before it, ` > FILE` after it, and ` | ` between two
 *   < is on stdin
 *   @ is typed at a prompt, at a terminal
 *   > is on stdout, ! on stderr, ? is the exit code if it is not 0
 *
 * Every file has its own sandbox, whose clock moves only in waits. A block with a `%` line has its own service and
 * folder instead. Key, base URL and project 1 are given, and every object exists (model-service.ts).
 *
 *   % METHOD target -> answer     a response that differs from the model's
 *   = METHOD target body          a write that arrived; with `% show all` also reads and waits
 *
 *   target   /persons/4/, /event_definitions/…, /plugins/3/ of the project and its organization, /projects/2/, another
 *            path, or a URL. `*` is one part of it, alone any path; `list` is any list. A query (?email=a@b.c) must be
 *            part of the one that was sent. METHOD may be `*`. The first line that matches responds. Lines of the same
 *            request respond one after the other, the last one for all later requests. After a command they start anew.
 *   answer   [done,] [STATUS] [Header: value, …] [BODY], or [done,] lost. `done`: the model does and says it; with
 *            more after it, the model does it and the rest is the response. `lost`: the connection broke.
 *            BODY: as it is; `empty` (a page), `page 12` (the objects 1 to 12), `page [{…}]`, or `nothing`. An error
 *            without one has the usual body of the service.
 *   % show all                    % show header authorization
 *
 * `UPDATE=1 npx vitest run test/transcripts.test.ts -t NAME` writes the new output. Read the difference before you
 * commit it.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Dispatcher } from '../src/host.ts'
import { wordsOf } from '../src/text/shell-words.ts'
import { baseUrl, Script } from './script.ts'
import { newWorld, type Ran, type World } from './world.ts'

/** Where a command runs. */
interface Place {
  readonly world: World
  readonly env: Readonly<Record<string, string>>
  readonly dispatcher?: Dispatcher
}

/** The input of a command. */
interface Given {
  readonly stdin?: string
  readonly answers?: readonly string[]
}

/** The line that every command prints in the sandbox, which transcripts leave out. */
const notice = 'sandbox: made-up data on this machine\n'

// Local times are the same everywhere.
process.env.TZ = 'UTC'

/** Whether it has a command other than analytics. */
export function needsShell(transcript: string): boolean {
  const commands = transcript.match(/^\$ .*$/gm)?.flatMap(line => line.slice(2).split(' | ')) ?? []
  return commands.some(command => !/^([A-Z_]+=\S* )*analytics( |$)/.test(command))
}

export async function play(transcript: string): Promise<string> {
  const world = newWorld()
  const blocks = transcript.split(/\n(?=\n|$)/).map(block => block.replace(/^\n/, ''))
  const seen: string[] = []
  for (const block of blocks) seen.push(await (/^%/m.test(block) ? playScripted(block) : playBlock(block, world)))
  return seen.join('\n\n')
}

function playScripted(block: string): Promise<string> {
  const world = newWorld()
  return playBlock(block, world, new Script(world.clock.now))
}

async function playBlock(block: string, world: World, script?: Script): Promise<string> {
  const env = script
    ? { ANALYTICS_BASE_URL: baseUrl, ANALYTICS_API_KEY: 'key-of-ada', ANALYTICS_PROJECT: '1' }
    : { ANALYTICS_SANDBOX: '1' }
  const place = { world, env, ...(script ? { dispatcher: script.dispatcher } : {}) }
  const typed = block.split('\n').filter(line => /^[#$<@%]/.test(line))
  const seen: string[] = []
  for (let i = 0; i < typed.length; i++) {
    const line = typed[i] ?? ''
    seen.push(line)
    if (line.startsWith('%')) script?.add(line.slice(2))
    if (!line.startsWith('$')) continue
    const below: string[] = []
    while (/^[<@]/.test(typed[i + 1] ?? '')) below.push(typed[++i] ?? '')
    seen.push(...below)
    const marked = (mark: string) => below.filter(one => one.startsWith(mark)).map(one => one.slice(2))
    const [stdin, answers] = [marked('<'), marked('@')]
    script?.begin()
    const given = {
      ...(stdin.length > 0 ? { stdin: `${stdin.join('\n')}\n` } : {}),
      ...(answers.length > 0 ? { answers } : {}),
    }
    seen.push(...(await enter(line.slice(2), given, place)), ...lines('=', script?.arrived().join('\n') ?? ''))
  }
  return seen.join('\n')
}

async function enter(line: string, given: Given, place: Place): Promise<string[]> {
  const [, typed = line, file] = /^(.*?)(?: > ([\w./-]+))?$/.exec(line) ?? []
  let last: Ran = { stdout: given.stdin ?? '', stderr: '', code: 0 }
  let stderr = ''
  for (const [i, command] of typed.split(' | ').entries()) {
    last = await enterOne(command, i === 0 ? given : { ...given, stdin: last.stdout }, place)
    stderr += last.stderr
  }
  if (file) writeFileSync(join(place.world.folder, file), last.stdout)
  return [
    ...(file ? [] : lines('>', everywhere(last.stdout, place.world))),
    ...lines('!', everywhere(stderr.replaceAll(notice, ''), place.world)),
    ...(last.code === 0 ? [] : [`? ${last.code}`]),
  ]
}

async function enterOne(command: string, given: Given, { world, env, dispatcher }: Place): Promise<Ran> {
  const words = wordsOf(command)
  const start = words.findIndex(word => !/^[A-Z_]+=/.test(word))
  const variables = Object.fromEntries(words.slice(0, start).map(word => word.split(/=(.*)/s, 2)))
  const [program, ...argv] = words.slice(start)
  if (program === 'analytics') {
    return world.run(argv, { env: { ...env, ...variables }, ...given, ...(dispatcher ? { dispatcher } : {}) })
  }
  const options = { cwd: world.folder, input: given.stdin ?? '', encoding: 'utf8' } as const
  const { stdout, stderr, status } = spawnSync('sh', ['-c', command], options)
  return { stdout, stderr, code: status ?? 1 }
}

function everywhere(text: string, { folder }: World): string {
  // As it is, and in JSON. Windows has other separators.
  const shown = text.replaceAll(folder, '~').replaceAll(JSON.stringify(folder).slice(1, -1), '~')
  return shown.replaceAll(/~\\[^\s"']*/g, path => path.replaceAll(/\\+/g, '/'))
}

function lines(mark: string, text: string): string[] {
  if (text === '') return []
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map(line => `${mark} ${line}`.trimEnd())
}
