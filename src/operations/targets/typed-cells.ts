/** Converts cells of `--rows` by `--types`, otherwise by the documented type, otherwise to text. */
import type { Kinds } from '../../api/endpoints.ts'
import { nameOfField } from '../../api/property-path.ts'
import { UsageError } from '../../errors.ts'
import { isNumber } from '../../filters/number.ts'
import { exactKind } from '../../json/exact-kind.ts'
import { decodeGiven } from '../../json/given.ts'
import { Malformed } from '../../json/item.ts'
import type { Collection } from '../../values/ids.ts'
import { boolean, json, type Kind } from '../../values/kinds.ts'
import { comparedHeading } from './heading.ts'

export interface RowShape {
  readonly collection: Collection
  readonly fields: Kinds | 'properties'
  /** `name` finds the object of a row without an id. */
  readonly byName: boolean
}

const types = ['number', 'boolean', 'json', 'text'] as const
export type CellType = (typeof types)[number]

export function parseTypes(lists: readonly string[]): ReadonlyMap<string, CellType> {
  const typed = new Map<string, CellType>()
  for (const one of lists.flatMap(list => (list === '' ? [] : list.split(',')))) {
    const at = one.lastIndexOf('=')
    const key = one.slice(0, at)
    const type = types.find(name => name === one.slice(at + 1))
    if (at < 1 || !type) {
      throw new UsageError(`--types: ${JSON.stringify(one)} is not of the form KEY=TYPE`, {
        hint: `A type is one of ${types.join(', ')}`,
      })
    }
    if ((typed.get(key) ?? type) !== type)
      throw new UsageError(`--types: ${key} has two types`, { hint: 'Keep one of them' })
    typed.set(key, type)
  }
  return typed
}

/** A heading may spell a documented field in any usual way. */
export function fieldOf(heading: string, { fields }: RowShape): string {
  const documented = fields === 'properties' ? [] : Object.keys(fields)
  const known = ['id', 'name', ...documented].find(field => comparedHeading(field) === comparedHeading(heading))
  // A property name may end with a blank.
  return known ?? heading.trimStart().replace(/^properties\./i, 'properties.')
}

/** Throws `UsageError` for the type of a missing column: a mistyped name would send its cells as text. */
export function checkTypes(chosen: ReadonlyMap<string, CellType>, names: readonly string[], where: string): void {
  const keys = names.map(nameOfField)
  const unknown = [...chosen.keys()].find(key => !keys.includes(key))
  if (unknown === undefined) return
  throw new UsageError(`--types: ${where} has no column ${unknown}`, {
    hint: `The columns are ${keys.filter(Boolean).join(', ')}`,
  })
}

function documentedKind({ fields }: RowShape, name: string): Kind<unknown> | undefined {
  return fields !== 'properties' && Object.hasOwn(fields, name) ? fields[name] : undefined
}

const failedFormula = /^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)$/

export function typedCell(
  name: string,
  cell: string,
  shape: RowShape,
  chosen: ReadonlyMap<string, CellType>,
  at: string,
): unknown {
  const type = chosen.get(nameOfField(name))
  if (name === '') throw new UsageError(`${at}a value is in a column without a heading`, { hint: 'Give it one' })
  if (type === 'text') return cell
  if (failedFormula.test(cell)) {
    throw new UsageError(`${at}${name} is ${cell}, which a spreadsheet shows for a formula that failed`, {
      hint: 'Correct the formula, or leave the cell empty',
    })
  }
  if (type === 'number' && !isNumber(cell)) {
    const hint = 'Write it with a point and without blanks, such as 1234.5'
    throw new UsageError(`${at}${name} is not a number`, { hint })
  }
  const kind: Kind<unknown> | undefined = type === 'boolean' ? boolean : type ? json : documentedKind(shape, name)
  if (!kind) return cell
  if (kind !== json && !kind.item) {
    // Spreadsheets write TRUE.
    const parsed = exactKind(kind).parse(kind === boolean ? cell.toLowerCase() : cell)
    if ('problem' in parsed) throw new UsageError(`${at}${name}: ${parsed.problem}`)
    return parsed.value
  }
  try {
    return decodeGiven(cell, `${at}${name}: `)
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause
    throw new UsageError(`${at}${name} is not JSON`, { hint: 'Lists and objects are written as JSON', cause })
  }
}
