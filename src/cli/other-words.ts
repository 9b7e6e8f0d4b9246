/** A query sorts only the rows that were read. */
const sorted = ["--all --query 'sort_by(@, &FIELD)'", "--query 'sort_by(@, &FIELD)'"]

/**
 * Words and options of other tools, each with our equivalents, the best one first. One that the group or command lacks is
 * passed over; a key with words before it is only for that group or command.
 */
export const otherWords: Readonly<Record<string, readonly string[]>> = {
  login: ['profiles add'],
  logout: ['profiles remove'],
  whoami: ['profiles show'],
  config: ['profiles'],
  status: ['doctor'],
  version: ['--version'],
  users: ['persons'],
  people: ['persons'],
  event: ['event-definitions'],
  events: ['event-definitions'],
  team: ['projects'],
  curl: ['api'],

  ls: ['list'],
  'persons search': ['list --search TEXT'],
  search: ['list'],
  find: ['list'],
  'persons count': ["list --all -o json --query 'length(@)'"],
  show: ['get', 'show'],
  describe: ['get', 'show'],
  get: ['show'],
  rm: ['delete', 'remove'],
  remove: ['delete'],
  delete: ['remove'],
  destroy: ['delete', 'remove'],
  add: ['create'],
  new: ['create', 'add'],
  create: ['add'],
  edit: ['update', 'set'],
  set: ['update'],
  'projects export': ['pull'],
  export: ['list --all -o csv'],
  import: ['apply', 'load'],
  logs: ['activity', 'show'],
  run: ['exec'],
  rollback: ['undo'],
  restore: ['undo'],
  recover: ['undo'],
  undelete: ['undo'],

  '--json': ['-o json'],
  '--csv': ['-o csv'],
  '--yaml': ['-o yaml'],
  '--format': ['-o FORMAT'],
  '--jq': ['--query JMESPATH'],
  '--sort': sorted,
  '--sort-by': sorted,
  '--count': ["--all --query 'length(@)'"],
  '--filter': ['--where FILTER', '--property FILTER'],
  '-l': ['--limit N'],
  '--page': ['--offset N (a number of rows)'],
  'event-definitions --search': ['--where name~TEXT'],
  'event-definitions --tag': ['--add-tag TAG', '--where tags=TAG'],
  '--ids': ['--from FILE', '-o ids'],
  '--emails': ['--emails-from FILE', '--email EMAIL'],
  'persons --name': ['--set name=NAME', '--key NAME', '--where properties.name=NAME'],
  '--name': ['--by-name NAME', '--where name=NAME'],
  '--out': ['--output-file FILE'],
  '--file': ['--from FILE', '-f FILE', '--body @FILE'],
  '--force': ['--yes'],
  '--check': ['--dry-run'],
  '--verbose': ['--debug'],
  '-v': ['--debug'],
  'plugins --url': ['--set url=URL'],
  '--url': ['--base-url URL'],
  '--env': ['--profile NAME'],
  '--parallel': ['--concurrency N'],
  '--data': ['--body JSON'],
}

/** Names of options that other tools read a file by. */
export const inputFileOptions: readonly string[] = ['-f', '--file', '--input-file']

export const keyOptions: readonly string[] = [
  ...['--api-key', '--apikey', '--api_key', '--personal-api-key', '--key', '--token', '--access-token'],
  ...['--password', '--secret', '--auth'],
]
