/** The service of a block of a transcript: it responds as the `%` lines say, and else like the model. */
import { type Asked, dispatcherOf, page, type Reply, refusal, reply } from './in-memory.ts'
import { modelService, rowOf } from './model-service.ts'

export const baseUrl = 'https://analytics.example.com'

interface Rule {
  /** `METHOD target`, as it is written. */
  readonly request: string
  /** One for each request; the last one for all later requests. */
  readonly answers: string[]
}

export class Script {
  readonly #rules: Rule[] = []
  readonly #plain = modelService().answer
  #arrived: string[] = []
  #isBegun = false
  #showsAll = false
  readonly #headers: string[] = []
  #last: number | undefined
  readonly #now: () => number

  readonly dispatcher = dispatcherOf(asked => this.#answer(asked))

  /** `now`: the time in ms on the clock of those who ask. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Takes a line without its mark. */
  add(line: string): void {
    const [, shown, header] = /^show (all|header (\S+))$/.exec(line) ?? []
    if (header) return void this.#headers.push(header.toLowerCase())
    if (shown) {
      this.#showsAll = true
      return
    }
    const [, request, answer] = /^(\S+ \S+) -> (.+)$/.exec(line) ?? []
    if (!request || !answer) throw new Error(`Not a line of a service: % ${line}`)
    const rule = this.#rules.find(one => one.request === request)
    if (!rule) this.#rules.push({ request, answers: [answer] })
    // After a command, a line for the same request replaces the earlier ones.
    else if (this.#isBegun) rule.answers.splice(0, rule.answers.length, answer)
    else rule.answers.push(answer)
  }

  begin(): void {
    this.#isBegun = true
  }

  /** What arrived since the last time. */
  arrived(): readonly string[] {
    const arrived = this.#arrived
    this.#arrived = []
    return arrived
  }

  #answer(asked: Asked): Reply | 'lost' {
    this.#note(asked)
    const rule = this.#rules.find(({ request }) => isMeant(request, asked))
    const answer = rule && (rule.answers.length > 1 ? rule.answers.shift() : rule.answers[0])
    if (answer === undefined) return this.#plain(asked)
    const [, done, instead] = /^(done)?(?:, )?(.*)$/.exec(answer) ?? []
    const usual = done ? this.#plain(asked) : undefined
    if (usual && !instead) return usual
    return instead === 'lost' ? 'lost' : replyOf(instead ?? '', asked)
  }

  #note({ method, url, headers, body }: Asked): void {
    const now = this.#now()
    const waited = now - (this.#last ?? now)
    this.#last = now
    const isRead = method === 'GET' || /\/(funnel|correlation|path|batch_by_distinct_ids)\/$/.test(url.pathname)
    if (!this.#showsAll && isRead) return
    if (waited > 0 && this.#showsAll) this.#arrived.push(`(${waited / 1000} s later)`)
    const origin = url.origin === baseUrl ? '' : url.origin
    this.#arrived.push(`${method} ${origin}${short(url)}${decodeURIComponent(url.search)} ${body}`.trimEnd())
    for (const name of this.#headers) this.#arrived.push(`  ${name}: ${headers[name] ?? '(none)'}`)
  }
}

/** The path without the project or organization of the test. */
function short({ pathname }: URL): string {
  return pathname
    .replace(/^\/api\/projects\/1(?=\/(?:persons|event_definitions)\/)/, '')
    .replace(/^\/api\/organizations\/[^/]+(?=\/plugins\/)/, '')
    .replace(/^\/api(?=\/projects\/)/, '')
}

function isMeant(request: string, { method, url }: Asked): boolean {
  const [verb = '', target = ''] = request.split(' ')
  if (verb !== '*' && verb !== method) return false
  if (target === 'list') return /^\/(persons|plugins|event_definitions|projects)\/$/.test(short(url))
  const isAbsolute = target.startsWith('https:')
  const [path = '', query] = target.replace(isAbsolute ? url.origin : '', '').split('?')
  const pattern = path.split('*').map(text => text.replace(/[.+]/g, '\\$&'))
  const isThere = new RegExp(`^${pattern.join(path === '*' ? '.*' : '[^/]*')}$`).test(
    isAbsolute ? url.pathname : short(url),
  )
  return isThere && [...new URLSearchParams(query)].every(([name, value]) => url.searchParams.get(name) === value)
}

function replyOf(text: string, { url }: Asked): Reply {
  const [, status = '200', rest = ''] = /^(\d{3}(?= |$))? ?(.*)$/.exec(text) ?? []
  const headers: Record<string, string> = {}
  const body = rest.replace(/(?:^|, )([A-Za-z-]+): ([^ ,]+(?:, (?![A-Za-z-]+: )[^ ,]+)*)/g, (_, name, value) => {
    headers[name.toLowerCase()] = value
    return ''
  })
  const { body: written, ...one } = bodyOf(Number(status), body.trim(), url)
  return { ...one, headers: { ...one.headers, ...headers }, ...(written === undefined ? {} : { body: written }) }
}

function bodyOf(status: number, text: string, url: URL): Reply {
  if (text === 'nothing') return { status }
  if (text === '') return status < 400 ? { status } : refusal(status)
  if (text === 'empty') return { ...page([]), status }
  const [, listed] = /^page (.*)$/.exec(text) ?? []
  if (listed?.startsWith('[')) return { ...page(JSON.parse(listed)), status }
  if (listed) {
    const noun = short(url).split('/')[1] ?? ''
    return { ...page(Array.from({ length: Number(listed) }, (_, i) => rowOf(noun, i + 1))), status }
  }
  const isPage = text.startsWith('<')
  return { ...reply(status), headers: { 'content-type': isPage ? 'text/html' : 'application/json' }, body: text }
}
