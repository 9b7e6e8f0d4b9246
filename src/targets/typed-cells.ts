/** Converts cells of `--rows` by `--types`, otherwise by the documented type, otherwise to text. */
import type { Kinds } from '../api/endpoints.ts'
import { UsageError } from '../errors.ts'
import { decodeGiven } from '../json/exact.ts'
import { exactKind } from '../json/exact-kind.ts'
import { Malformed } from '../json/malformed.ts'
import type { Collection } from '../values/ids.ts'
import { boolean, json, type Kind } from '../values/kinds.ts'
import { type CellType, isJsonNumber } from './column-types.ts'
import { comparedHeading, isFailedFormula, spreadsheetFault } from './spreadsheets.ts'

export interface RowShape {
  readonly collection: Collection
  readonly fields: Kinds | 'properties'
  /** What may name the object of a row; the first that a file has names all of them. */
  readonly keys: readonly RowKey[]
}

export type RowKey = 'id' | 'name' | 'email' | 'distinct_id'

/** A heading may spell a documented field in any usual way. */
export function fieldOf(heading: string, { fields, keys }: RowShape): string {
  const documented = fields === 'properties' ? [] : Object.keys(fields)
  const known = [...keys, 'name', ...documented].find(field => comparedHeading(field) === comparedHeading(heading))
  // A property name may end with a blank.
  return known ?? heading.trimStart().replace(/^properties\./i, 'properties.')
}

function documentedKind({ fields }: RowShape, name: string): Kind<unknown> | undefined {
  return fields !== 'properties' && Object.hasOwn(fields, name) ? fields[name] : undefined
}

interface CellColumn {
  readonly name: string
  readonly type: CellType | undefined
  readonly shape: RowShape
}

export function typedCell(cell: string, { name, type, shape }: CellColumn, at: string): unknown {
  if (name === '') throw new UsageError(`${at}a value is in a column without a heading`, { hint: 'Give it one' })
  if (type === 'text') return cell
  if (isFailedFormula(cell)) {
    throw new UsageError(`${at}${name} is ${cell}, ${spreadsheetFault(cell)}`, {
      hint: 'Correct the formula, or leave the cell empty',
    })
  }
  if (type === 'number' && !isJsonNumber(cell)) {
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
