/** Reads persons from lines of an export. */
import { UsageError } from '../errors.ts'
import { decodeGiven, isObject, type Json, type JsonObject } from '../json/exact.ts'
import { Malformed } from '../json/malformed.ts'
import { isUuid } from '../values/ids.ts'
import { timestamp } from './call.ts'
import type { NewPerson } from './person-records.ts'

/** Throws `UsageError` for a line that is not a person. */
export async function* personsIn(
  lines: Iterable<string> | AsyncIterable<string>,
  now: number,
): AsyncGenerator<NewPerson> {
  let number = 0
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    const problem = (what: string) =>
      new UsageError(`Line ${number} is not a person: ${what}`, {
        hint: 'Export with: analytics persons list --all -o ndjson',
      })
    yield personIn(objectIn(line, `Line ${number}: `, problem), now, problem)
  }
}

type Problem = (what: string) => UsageError

function objectIn(line: string, where: string, problem: Problem): JsonObject<Json> {
  try {
    const value = decodeGiven(line, where)
    if (isObject(value)) return value
  } catch (error) {
    throw error instanceof Malformed ? problem(error.reason) : error
  }
  throw problem('it is not an object')
}

function personIn(row: JsonObject<Json>, now: number, problem: Problem): NewPerson {
  const { id, uuid = id, created_at: time = null, distinct_ids = [] } = row
  const properties = row.properties ?? {}
  if (!Array.isArray(distinct_ids) || !distinct_ids.every(one => typeof one === 'string')) {
    throw problem('distinct_ids must be a list of strings')
  }
  if (!isObject(properties)) throw problem('properties must be an object')
  if (time !== null && (typeof time !== 'string' || Number.isNaN(Date.parse(time)))) {
    throw problem('created_at must be a date')
  }
  const own = typeof uuid === 'string' && isUuid(uuid) ? uuid.toLowerCase() : undefined
  if (own === undefined && distinct_ids.length === 0) throw problem('it has neither a uuid nor distinct_ids')
  return {
    id: typeof id === 'number' && Number.isInteger(id) && id > 0 && id < 1e15 ? id : undefined,
    uuid: own,
    // Lists are in the order of these texts.
    created_at: time?.endsWith('Z') ? time : timestamp(time === null ? now : Date.parse(time)),
    distinct_ids: [...new Set(distinct_ids)],
    properties,
  }
}
