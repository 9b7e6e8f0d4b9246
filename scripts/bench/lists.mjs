/** `list --all` beside a Python script and curl that do the same, and its peak of memory. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atLeast, atMost, has, peak, program, ratio, time } from './measure.mjs'

const total = 200_000
const latency = 20
const rounds = 5

const python = `
import csv, json, sys, urllib.request
url, form = sys.argv[1], sys.argv[2]
writer = csv.writer(sys.stdout)
while url:
    page = json.load(urllib.request.urlopen(urllib.request.Request(url, headers={'Authorization': 'Bearer bench'})))
    for row in page['results']:
        if form == 'ndjson':
            sys.stdout.write(json.dumps(row) + '\\n')
        else:
            writer.writerow([json.dumps(v) if isinstance(v, (dict, list)) else v for v in row.values()])
    url = page['next']
`

const list = (format, rows) => ['persons', 'list', '--all', '-q', '-o', format, '--project', String(rows)]

export async function lists(world) {
  refuseLessThanAll(world)
  const rows = []
  if (has('python3')) rows.push(...(await besidePython(world)))
  if (has('curl')) rows.push(...(await besideCurl(world)))
  for (const [format, goal] of Object.entries({ ndjson: 80, csv: 90 })) {
    rows.push(atMost(`${format}, ${total} rows`, goal, await peak(list(format, total), world), 'MB'))
  }
  for (const format of ['ndjson', 'csv', 'table']) {
    rows.push(atMost(`${format}, a million rows`, 120, await peak(list(format, 1_000_000), world), 'MB'))
  }
  return rows
}

/** A list that ends early is quick. */
function refuseLessThanAll({ env }) {
  const argv = [process.execPath, program, ...list('ndjson', total)]
  const lines = execFileSync('sh', ['-c', '"$0" "$@" | wc -l', ...argv], { env, encoding: 'utf8' })
  if (Number(lines) !== total) throw new Error(`The list has ${lines.trim()} rows instead of ${total}`)
}

const ours =
  ({ env }, format, more = {}) =>
  () =>
    time(process.execPath, [program, ...list(format, total)], { ...env, ...more })

async function besidePython(world) {
  const script = join(world.home, 'list.py')
  writeFileSync(script, python)
  const first = `${world.url}/api/projects/${total}/persons/?limit=1000`
  const rows = []
  for (const [format, goal] of Object.entries({ ndjson: 2.2, csv: 1.5 })) {
    const theirs = () => time('python3', [script, first, format], world.env)
    const value = await ratio(theirs, ours(world, format), rounds)
    rows.push(atLeast(`list --all -o ${format}, ${total} rows`, goal, value, '× Python'))
  }
  return rows
}

/** curl asks for the same pages one after the other, and discards them. */
async function besideCurl(world) {
  const late = `${world.url}/late/${latency}`
  const config = join(world.home, 'pages.curl')
  const page = i => `url = "${late}/api/projects/${total}/persons/?limit=1000&offset=${i}000"\noutput = /dev/null\n`
  writeFileSync(config, Array.from({ length: total / 1000 }, (_, i) => page(i)).join(''))
  const theirs = () => time('curl', ['-s', '-K', config], world.env)
  const rows = []
  for (const format of ['ndjson', 'csv']) {
    const value = await ratio(ours(world, format, { ANALYTICS_BASE_URL: late }), theirs, rounds)
    rows.push(atMost(`the same -o ${format}, ${latency} ms of latency`, 1.15, value, '× curl'))
  }
  return rows
}
