/** Types of the columns of `--rows`: `--types` gives them, and must where the cells look like numbers or booleans. */
import { isPropertyPath, nameOfField } from '../api/property-path.ts'
import { UsageError } from '../errors.ts'
import { decode } from '../json/exact.ts'
import { Malformed } from '../json/malformed.ts'
import { shellWord } from '../text/shell-words.ts'

const types = ['number', 'boolean', 'json', 'text'] as const
export type CellType = (typeof types)[number]

const known = `A type is one of ${types.join(', ')}`

interface ColumnTypes {
  typeOf(column: string): CellType | undefined
  note(column: string, cell: string): void
  /** After the last cell. Throws `UsageError` for a column that wants a type; returns those of texts and others. */
  demand(): readonly string[]
}

/** Throws `UsageError` for the type of a missing column: a mistyped name would send its cells as text. */
export function columnTypes(lists: readonly string[], columns: readonly string[], where: string): ColumnTypes {
  const keys = columns.map(nameOfField)
  const { given, isRestText } = parseTypes(lists, keys, where)
  const seen = new Map<string, Set<CellType>>()
  return {
    typeOf: column => given.get(nameOfField(column)),
    note(column, cell) {
      if (isRestText || !isPropertyPath(column) || given.has(nameOfField(column))) return
      const looks = seen.get(column) ?? new Set()
      seen.set(column, looks.add(typeOfText(cell)))
    },
    demand() {
      const wanting = [...seen].filter(([, looks]) => !looks.has('text'))
      if (wanting.length > 0) throw untyped(wanting, lists, where)
      return [...seen].filter(([, looks]) => looks.size > 1).map(([column]) => column)
    },
  }
}

type Looks = readonly [column: string, types: ReadonlySet<CellType>]

interface Given {
  readonly given: ReadonlyMap<string, CellType>
  readonly isRestText: boolean
}

function parseTypes(lists: readonly string[], keys: readonly string[], where: string): Given {
  const given = new Map<string, CellType>()
  let isRestText = false
  for (const list of lists) {
    for (const one of entriesIn(list, keys)) {
      if (one === 'text') {
        isRestText = true
        continue
      }
      const [key, type] = parseEntry(one, keys, where)
      if ((given.get(key) ?? type) !== type)
        throw new UsageError(`--types: ${key} has two types`, { hint: 'Keep one of them' })
      given.set(key, type)
    }
  }
  return { given, isRestText }
}

/** Splits at commas, but for those of a key that holds some. */
function entriesIn(list: string, keys: readonly string[]): string[] {
  const parts = list === '' ? [] : list.split(',')
  const entries: string[] = []
  for (let from = 0; from < parts.length; ) {
    let to = parts.length
    while (to > from + 1 && !isOf(keys, parts.slice(from, to).join())) to--
    entries.push(parts.slice(from, to).join())
    from = to
  }
  return entries
}

function isOf(keys: readonly string[], entry: string): boolean {
  return keys.includes(entry.slice(0, entry.lastIndexOf('='))) && typeNamed(entry) !== undefined
}

function typeNamed(entry: string): CellType | undefined {
  return types.find(name => name === entry.slice(entry.lastIndexOf('=') + 1))
}

function parseEntry(entry: string, keys: readonly string[], where: string): [key: string, type: CellType] {
  const key = entry.slice(0, Math.max(0, entry.lastIndexOf('=')))
  if (key === '') throw new UsageError(`--types: ${JSON.stringify(entry)} is not of the form KEY=TYPE`, { hint: known })
  const type = typeNamed(entry)
  if (!type) throw new UsageError(`--types: ${JSON.stringify(entry.slice(key.length + 1))} is no type`, { hint: known })
  if (keys.includes(key)) return [key, type]
  const hint = keys.includes(nameOfField(key))
    ? `Write ${nameOfField(key)}=${type}`
    : `The columns are ${keys.filter(Boolean).join(', ')}`
  throw new UsageError(`--types: ${where} has no column ${key}`, { hint })
}

/** Lists and objects count too, since a property that held one would become a text. */
function typeOfText(cell: string): CellType {
  if (isJsonNumber(cell)) return 'number'
  if (/^(true|false)$/i.test(cell)) return 'boolean'
  return /^[[{]/.test(cell) && isJson(cell) ? 'json' : 'text'
}

/** `007` is none. */
export function isJsonNumber(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/i.test(text)
}

function isJson(text: string): boolean {
  try {
    decode(text)
    return true
  } catch (error) {
    if (error instanceof Malformed) return false
    throw error
  }
}

function untyped(wanting: readonly Looks[], lists: readonly string[], where: string): UsageError {
  const typed = wanting.map(
    ([column, types]) => `${nameOfField(column)}=${types.size === 1 ? [...types].join() : 'json'}`,
  )
  const names = wanting.slice(0, 3).map(([column]) => column)
  const more = wanting.length > 3 ? ` and ${wanting.length - 3} more` : ''
  const verb = wanting.length === 1 ? 'holds' : 'hold'
  const optionWith = (...added: readonly string[]) =>
    `--types ${shellWord([...lists.filter(Boolean), ...added].join())}`
  return new UsageError(
    `${where}: ${names.join(', ')}${more} ${verb} only ${wordsOf(wanting)}, which would be sent as text`,
    {
      hint: `Say what they are: ${optionWith(...typed)} or, for text, ${optionWith('text')}`,
    },
  )
}

function wordsOf(wanting: readonly Looks[]): string {
  const types = new Set(wanting.flatMap(([, looks]) => [...looks]))
  const words = { number: 'numbers', boolean: 'true and false', json: 'lists and objects', text: '' }
  return [...types].map(type => words[type]).join(', ')
}
