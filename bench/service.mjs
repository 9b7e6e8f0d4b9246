/** A service for measuring: answers from memory, so that what is measured is the client. Prints its port. */
import { createServer } from 'node:http'

const rows = (from, count) => {
  const parts = []
  for (let id = from; id < from + count; id++) {
    parts.push(
      JSON.stringify({
        id,
        name: `Person ${id}`,
        distinct_ids: [`person-${id}`],
        properties: { email: `person-${id}@example.com`, note: 'x'.repeat(780) },
        created_at: '2026-01-01T00:00:00Z',
        uuid: '00000000-0000-4000-8000-000000000000',
      }),
    )
  }
  return parts.join(',')
}
const small = Buffer.from(`${rows(1, 50)}]}`)
const page = Buffer.from(`${rows(1, 1000)}]}`)

/** The project's number is how many persons it has. */
const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost')
  if (request.method !== 'GET') return response.writeHead(204).end()
  const total = Number(url.pathname.split('/')[3])
  response.setHeader('content-type', 'application/json')
  const end = total === 50 ? total : Number(url.searchParams.get('offset') ?? 0) + 1000
  const next =
    end < total ? JSON.stringify(`http://${request.headers.host}${url.pathname}?limit=1000&offset=${end}`) : 'null'
  const head = Buffer.from(`{"count":${total},"next":${next},"previous":null,"results":[`)
  const body = total === 50 ? small : page
  response.setHeader('content-length', head.length + body.length)
  response.write(head)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
