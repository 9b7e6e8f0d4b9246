import type { Client } from '../api/client.ts'
import type { Endpoint } from '../api/endpoints.ts'
import type { Failure } from '../errors.ts'
import type { Request } from '../http/message.ts'
import type { JsonObject } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import type { CollectionFacts } from './collections.ts'
import type { OperationName } from './operation-form.ts'

export type UndoName = Extract<OperationName, `${string} undo`>

interface Shape {
  readonly path: object
  readonly values: object
}

/** Facts of an operation that are the same for all values. */
export interface OperationFacts extends CollectionFacts {
  readonly endpoint: Endpoint
  /** For `Deleting 3 persons`, `Deleted 3 persons` and `Type 3 to delete 3 persons`. */
  readonly verb: readonly [doing: string, done: string, to: string]
  /** A sentence about the consequences, shown before. */
  readonly remark?: string
  readonly status: 'deleted' | 'updated'
  /** The operation that restores the changed values; undefined if nothing can. */
  readonly undoneBy?: UndoName
  /** The question for a single target; several targets always need one. */
  readonly asks?: 'yes' | 'name'
  /** An object in the answer must have exactly the members sent. */
  readonly isExact?: boolean
}

export interface OperationRow<S extends Shape> extends OperationFacts {
  readonly writes: (
    client: Client,
    path: S['path'] & { readonly id: string },
    values: S['values'],
  ) => readonly Request[]
  /** One request for many targets. */
  readonly writeOfMany?: (client: Client, path: S['path'], values: S['values'], ids: readonly string[]) => Request
  /** Text between verb and targets: `property plan of `. */
  readonly part?: (values: S['values']) => string
  /** Text after the targets: ` and all of their events`. */
  readonly also?: (values: S['values']) => string
  readonly needsRecord?: (values: S['values']) => boolean
  /** Values for one target, from its current record; undefined if all targets get the same. */
  readonly valuesFor?: (values: S['values'], record: Item, target: TargetAndTime) => S['values']
  /** Throws if the values must not be sent to a target with this record, which is read for every target. */
  readonly checkRecord?: (values: S['values'], record: Item, target: TargetAndTime) => void
  /** Looks at the record that is read afterwards; undefined if it need not be read. */
  readonly faultFinder?: (values: S['values']) => FindFault | undefined
  /** A sentence for the preview of a target, beyond its fields. */
  readonly resultSentence?: (values: S['values'], record: Item) => string | undefined
  readonly fieldChanges?: (values: S['values']) => readonly FieldChange[]
  /** The answer must contain these fields, because these endpoints accept fields and ignore them. */
  readonly comparedFields?: (values: S['values'], answer: Item) => JsonObject | undefined
}

export interface TargetAndTime {
  readonly id: string
  /** Milliseconds. */
  readonly now: number
}

interface ChangedTarget {
  readonly id: string
  readonly before: Item
  readonly after: Item
}

/** Returns a failure if `after` does not show the change. */
export type FindFault = (target: ChangedTarget) => Failure | undefined

export interface FieldChange {
  readonly path: string
  readonly value: unknown
}
