/** Decides which name an entry of a list gives: the only place that drops blanks or reads quotes. */
import { UsageError } from '../errors.ts'
import { decode, decodeGiven, ExactNumber, isObject, valueAt } from '../json/exact.ts'
import { Malformed } from '../json/malformed.ts'
import { collectionOf, type TargetCollection, type TargetIds } from '../operations/collections.ts'
import { checkId, type OtherNames } from '../values/ids.ts'
import { refuseOtherResource } from './other-resource.ts'
import { comparedHeading, spreadsheetFault } from './spreadsheets.ts'

interface NamedColumn {
  readonly column: string
  /** The user named the column, so a list without it is the wrong one. */
  readonly isNamed?: boolean
}

export interface ListKind extends NamedColumn {
  readonly option: '--distinct-ids-from' | '--emails-from'
}

export interface IdList extends NamedColumn {
  readonly option: '--from'
  readonly ids: TargetIds
}

export type AnyKind = ListKind | IdList

export interface Entry {
  /** A line, a cell of CSV without its quotes, or a line of NDJSON. */
  readonly raw: string
  readonly line: number
  readonly form: 'plain' | 'quoted' | 'json'
}

const otherLists: Readonly<Partial<Record<TargetCollection, OtherNames>>> = {
  persons: { email: '--emails-from', text: 'distinct ids use --distinct-ids-from' },
}

/** Begins a hint if the fields of a list of persons, none of which is an id, include another name of persons. */
export function otherOption(kind: AnyKind, fields: readonly string[]): string {
  if (kind.option !== '--from' || collectionOf(kind.ids) !== 'persons') return ''
  const compared = fields.map(comparedHeading)
  if (compared.includes('email')) return 'It has e-mails: use --emails-from. '
  return compared.includes('distinctid') ? 'It has distinct ids: use --distinct-ids-from. ' : ''
}

/** The returned function throws `UsageError`, with the line, for an entry that gives no possible name. */
export function nameReader(kind: AnyKind, where: string): (entry: Entry) => string {
  const memberOf = memberReader(kind.column, kind.option === '--from' ? refuseOtherResource(kind.ids) : undefined)
  return ({ raw, line, form }) => {
    const at = `${where}: line ${line}`
    const name = form === 'json' ? memberOf(raw, at) : form === 'quoted' ? raw : dropBlanks(raw)
    if (name === '') {
      const value = form === 'json' ? decode(raw) : undefined
      const fields = isObject(value) ? Object.keys(value) : []
      throw new UsageError(`${at} has no ${kind.column}`, { hint: otherOption(kind, fields).trim() || undefined })
    }
    if (kind.option === '--from')
      return checkId(kind.ids, name.trim(), otherLists[collectionOf(kind.ids)], `${where}, line ${line}: `)
    if (form === 'plain') checkPlain(name, kind, at)
    // No database of the service can hold it in a text.
    else if (name.includes('\0')) throw new UsageError(`${at} holds a NUL character`)
    return name
  }
}

/** Only these stand around a line; others, such as a no-break space, may be part of a name. */
export function dropBlanks(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

/** As JSON where a plain line would be read as another name. */
export function lineFor(name: string): string {
  return dropBlanks(name) === name && !/\p{Cc}/u.test(name) ? name : JSON.stringify(name)
}

function checkPlain(name: string, { option, column }: ListKind, at: string): void {
  if (/\p{Cc}/u.test(name)) {
    throw new UsageError(`${at} holds a control character`, {
      hint: name.includes('\r') ? 'Save it with the line ends of Windows or Unix' : undefined,
    })
  }
  const fault = spreadsheetFault(name)
  if (fault)
    throw new UsageError(`${at} is ${name}, ${fault}`, { hint: 'Keep ids as text there, or leave the line out' })
  const asJson = `NDJSON takes any text, as in {"${column}":"…"}`
  if (option === '--emails-from' && !isOneEmail(name)) {
    throw new UsageError(`${at} is not one plain e-mail`, {
      hint: `Write one on each line with nothing around it, as in ada@example.com; ${asJson}`,
    })
  }
  if (option === '--distinct-ids-from' && /^mailto:|[<>"]/i.test(name)) {
    throw new UsageError(`${at} holds mailto:, angle brackets or double quotes`, {
      hint: `Write the distinct id alone; ${asJson}`,
    })
  }
}

function isOneEmail(text: string): boolean {
  return !/@.*@|^mailto:|[<>()[\]{}"]/i.test(text) && !(text.includes('@') && /[ ,;]/.test(text))
}

type CheckFields = ReturnType<typeof refuseOtherResource>

function memberReader(column: string, checkFields: CheckFields | undefined): (line: string, at: string) => string {
  return (line, at) => {
    try {
      const value = decodeGiven(line, `${at}: `)
      const others = isObject(value) ? Object.keys(value).filter(name => name !== column) : []
      checkFields?.(others, at)
      const name = valueAt(value, column)
      const isName = typeof name === 'string' || typeof name === 'number' || name instanceof ExactNumber
      return isName ? String(name) : ''
    } catch (cause) {
      if (!(cause instanceof Malformed)) throw cause
      throw new UsageError(`${at} is not JSON`, { hint: 'Give one object per line', cause })
    }
  }
}
