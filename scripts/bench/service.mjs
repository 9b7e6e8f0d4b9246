/** A service that answers from memory, so that the client is what is measured. Prints its port. */
import { createServer } from 'node:http'

/** As Python servers write persons: whole floats, integers beyond 2^53, long user agents, some text that is not ASCII. */
const person = id => {
  const agent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.${id % 7}.0 Safari/537.36`
  const text = JSON.stringify({
    id,
    name: `Person ${id}`,
    distinct_ids: [`person-${id}`, `01933a5c-8a7b-7cc3-b0ee-${String(id).padStart(12, '0')}`],
    properties: {
      email: `person-${id}@example.com`,
      city: id % 3 === 0 ? 'Zürich' : 'Łódź',
      score: 'WHOLE',
      account: 'BIG',
      rate: 0.25,
      $initial_raw_user_agent: agent,
      $raw_user_agent: agent,
      $initial_current_url: `https://www.example.com/welcome?utm_source=newsletter&utm_campaign=spring-${id}`,
      $initial_referrer: '$direct',
      $os: 'Linux',
      orders: id % 40,
      is_trial: id % 2 === 0,
      closed_at: null,
    },
    created_at: '2026-01-01T00:00:00.000000Z',
    uuid: '00000000-0000-4000-8000-000000000000',
  })
  return text.replace('"WHOLE"', `${id % 100}.0`).replace('"BIG"', `90071992547${409930 + (id % 70)}`)
}
const rows = count => Buffer.from(`${Array.from({ length: count }, (_, i) => `,${person(i + 1)}`).join('')}]}`)
// Behind the first row, which tells one page from another.
const small = rows(49)
const large = rows(999)

/** Under `/late/20/` each response takes 20 ms. */
const server = createServer((request, response) => {
  const [, late, path] = /^(?:\/late\/(\d+))?(\/.*)$/.exec(request.url)
  const answer = () => {
    if (request.method === 'DELETE') response.writeHead(204).end()
    else list(new URL(path, `http://${request.headers.host}`), response)
  }
  if (late) answerAt(performance.now() + Number(late), answer)
  else answer()
})
/** A timer is up to a millisecond late, which would be counted against the client. */
function answerAt(due, answer) {
  const wait = () => (performance.now() < due ? setImmediate(wait) : answer())
  setTimeout(wait, due - performance.now() - 2)
}

/** A project has as many persons as its number says. */
function list(url, response) {
  const [, , , project, , id] = url.pathname.split('/')
  response.setHeader('content-type', 'application/json')
  if (id) return response.end(person(Number(id)))
  const total = Number(project)
  const end = total === 50 ? total : Number(url.searchParams.get('offset') ?? 0) + 1000
  const next = end < total ? JSON.stringify(`${url.origin}${url.pathname}?limit=1000&offset=${end}`) : 'null'
  const head = Buffer.from(`{"count":${total},"next":${next},"previous":null,"results":[${person(end)}`)
  const body = total === 50 ? small : large
  response.setHeader('content-length', head.length + body.length)
  // One write, as most servers send an answer.
  response.cork()
  response.write(head)
  response.end(body)
  response.uncork()
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
