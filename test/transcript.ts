/**
 * Transcripts: what a person types and sees, in blocks between empty lines.
 *
 *   # says why
 *   $ is typed: `analytics` or any line of sh; variables may stand before it, ` > FILE` behind it, and ` | ` between two
 *   < is on stdin
 *   @ is typed at a question, at a terminal
 *   > comes on stdout, ! on stderr, ? is the exit code where it is not 0
 *
 * Every file has a sandbox of its own, on a clock that stands still but for the waits. A block with a `%` line has a
 * service and a folder of its own instead. Key, base URL and project 1 are given; every object is there (model-service.ts).
 *
 *   % METHOD target -> answer     how it answers, where that is not what the model does
 *   = METHOD target body          what arrived: the writes; with `% show all` the reads too, and the waits
 *
 *   target   /persons/4/, /event_definitions/…, /plugins/3/ of the project and its organization, /projects/2/, another
 *            path, or a URL. `*` is one part of it, alone any path; `list` is any list. A query (?email=a@b.c) must be
 *            among the one that was sent. METHOD may be `*`. The first line that fits answers; lines of the same
 *            request answer one after the other, the last one for good; behind a command they begin anew.
 *   answer   [done,] [STATUS] [Header: value, …] [BODY], or [done,] lost. `done` is what the model does and
 *            says; with more behind it, it was done and something else is said. `lost`: no answer, the connection broke.
 *            BODY: as it is; `empty` (a page), `page 12` (the objects 1 to 12), `page [{…}]`, or `nothing`. An error
 *            without one has the service's own words.
 *   % show all                    % show header authorization
 *
 * `UPDATE=1 npx vitest run test/transcripts.test.ts -t NAME` writes what is seen now; read the difference before you
 * commit it.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Dispatcher } from '../src/host.ts'
import { wordsOf } from '../src/text/shell-words.ts'
import { baseUrl, Script } from './script.ts'
import { type Ran, World } from './world.ts'

/** What one command is entered into. */
interface Place {
  readonly world: World
  readonly env: Readonly<Record<string, string>>
  readonly dispatcher?: Dispatcher
}

/** What stands below a command. */
interface Given {
  readonly stdin?: string
  readonly answers?: readonly string[]
}

/** The line that every command in the sandbox says; checked at each, shown in none. */
const notice = 'sandbox: made-up data on this machine\n'

// What is said in local time is the same everywhere.
process.env.TZ = 'UTC'

/** Whether a command of it is not analytics itself. */
export function needsShell(transcript: string): boolean {
  const commands = transcript.match(/^\$ .*$/gm)?.flatMap(line => line.slice(2).split(' | ')) ?? []
  return commands.some(command => !/^([A-Z_]+=\S* )*analytics( |$)/.test(command))
}

export async function play(transcript: string): Promise<string> {
  const world = new World()
  try {
    const blocks = transcript.split(/\n(?=\n|$)/).map(block => block.replace(/^\n/, ''))
    const seen: string[] = []
    for (const block of blocks) seen.push(await (/^%/m.test(block) ? playScripted(block) : playBlock(block, world)))
    return seen.join('\n\n')
  } finally {
    world.remove()
  }
}

async function playScripted(block: string): Promise<string> {
  const world = new World()
  try {
    return await playBlock(block, world, new Script(world.clock.now))
  } finally {
    world.remove()
  }
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
