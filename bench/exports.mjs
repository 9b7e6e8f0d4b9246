/** `list --all` beside a plain Python script and a loop of curl and jq doing the same, as rows per second. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median, program, time, world } from './measure.mjs'

const total = 200_000
const few = 5_000
const rounds = 3

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

/** Rows of { name, goal, value, unit, met }; what is not installed is left out. */
export async function exports() {
  const { home, url, env, close } = await world()
  const script = join(home, 'list.py')
  const loop = join(home, 'list.sh')
  writeFileSync(script, python)
  writeFileSync(loop, shell)
  const first = count => `${url}/api/projects/${count}/persons/?limit=1000`
  const ours = format =>
    time(process.execPath, [program, 'persons', 'list', '--all', '-q', '-o', format, '--project', total], env)
  const theirs = format => time('python3', [script, first(total), format], env)
  try {
    const rows = []
    for (const [format, goal] of [
      ['ndjson', 4],
      ['csv', 1.5],
    ]) {
      if (!has('python3')) continue
      const value = await ratio(
        () => ours(format),
        () => theirs(format),
      )
      rows.push({
        name: `list --all -o ${format}, ${total} rows`,
        goal: `>= ${goal}`,
        value,
        unit: '× Python',
        met: value >= goal,
      })
    }
    if (has('curl') && has('jq')) {
      const value =
        (await ratio(
          () => ours('ndjson'),
          () => time('bash', [loop, first(few)], env),
        )) *
        (total / few)
      rows.push({ name: 'list --all -o ndjson', goal: '>= 30', value, unit: '× curl | jq', met: value >= 30 })
    }
    return rows
  } finally {
    close()
  }
}

/** How many times faster the first is, from pairs run in turn. */
async function ratio(first, second) {
  const ratios = []
  for (let i = 0; i <= rounds; i++) {
    const a = await first()
    const b = await second()
    if (i > 0) ratios.push(b / a)
  }
  return median(ratios)
}

function has(command) {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
