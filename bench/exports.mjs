/** `list --all` beside a Python script and a loop of curl and jq that do the same, and its peak of memory. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atLeast, atMost, collecting, has, peak, program, ratio, time } from './measure.mjs'

/** A short export, in which starting and warming up weigh as much as the rows, and a longer one, with their goals. */
const totals = [50_000, 200_000]
const goals = { ndjson: [3.4, 4], csv: [1.6, 1.6] }
const few = 5_000
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

const shell = `
url="$1"
while [ "$url" != null ]; do
  page=$(curl -s -H 'Authorization: Bearer bench' "$url")
  printf '%s' "$page" | jq -c '.results[]'
  url=$(printf '%s' "$page" | jq -r .next)
done
`

const list = (format, rows) => ['persons', 'list', '--all', '-q', '-o', format, '--project', String(rows)]

export async function exports(world) {
  return [
    ...(await besidePython(world)),
    ...(await besideShell(world)),
    ...(await tables(world)),
    ...(await memory(world)),
  ]
}

async function besidePython(world) {
  const { home, url, env } = world
  if (!has('python3')) return []
  const script = join(home, 'list.py')
  writeFileSync(script, python)
  const rows = []
  for (const format of ['ndjson', 'csv']) {
    for (const [i, total] of totals.entries()) {
      const theirs = () => time('python3', [script, first(url, total), format], env)
      const ours = () => time(process.execPath, [program, ...list(format, total)], env)
      const value = await ratio(theirs, ours, rounds)
      rows.push(atLeast(`list --all -o ${format}, ${total} rows`, goals[format][i], value, '× Python', warming))
    }
  }
  return rows
}

const warming = 'V8 interprets the loops over bytes until it has compiled them, which takes some 50,000 rows'

/** The loop is so slow that it is given a hundredth of the rows, and its time multiplied. */
async function besideShell({ home, url, env }) {
  if (!has('curl') || !has('jq')) return []
  const script = join(home, 'list.sh')
  writeFileSync(script, shell)
  const [, total] = totals
  const theirs = () => time('bash', [script, first(url, few)], env)
  const ours = () => time(process.execPath, [program, ...list('ndjson', total)], env)
  const value = (await ratio(theirs, ours, 3)) * (total / few)
  const limit = 'the faster the machine starts processes, the smaller it is: curl and jq start three times a page'
  return [atLeast('list --all -o ndjson', 30, value, '× curl | jq', limit)]
}

const first = (url, rows) => `${url}/api/projects/${rows}/persons/?limit=1000`

async function tables(world) {
  const few = await peak(list('table', 10_000), world)
  const many = await peak(list('table', 100_000), world)
  return [
    atMost('a table of 10,000 rows', 1.5, few.ms / 1000, 's'),
    atMost('a table, 100,000 rows and 10,000', 20, many.mb - few.mb, 'MB more', collecting),
  ]
}

/** A million rows beside 50,000 in memory, and beside 10,000 in time for a row. */
async function memory(world) {
  const rows = []
  const start = await peak(list('ndjson', 50), world)
  for (const format of ['ndjson', 'csv', 'ids']) {
    const few = await peak(list(format, 10_000), world)
    const more = await peak(list(format, 50_000), world)
    const million = await peak(list(format, 1_000_000), world)
    const perRow = (run, count) => (run.ms - start.ms) / count
    rows.push(
      atMost(`${format}, a million rows`, 110, million.mb, 'MB', collecting),
      atMost(`${format}, a million rows and 50,000`, 20, million.mb - more.mb, 'MB more', collecting),
      atMost(`${format}, a row of a million`, 1.1, perRow(million, 1e6) / perRow(few, 1e4), '× of 10,000', collecting),
    )
  }
  return rows
}
