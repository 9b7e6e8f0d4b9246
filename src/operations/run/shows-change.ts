import { isApplied } from '../../api/answers/verify-applied.ts'
import type { Request } from '../../http/message.ts'
import { decodeObject, isObject, type JsonObject } from '../../json/exact.ts'
import type { Item } from '../../json/item.ts'
import { kindOf } from '../../json/pick.ts'

/** True if the returned person has the requested change; one without properties does not tell. */
export function showsChange({ method, body }: Request, item: Item | undefined): boolean {
  if (body === undefined || !item || kindOf(item) !== 'object') return true
  const { properties } = decodeObject(item)
  if (!isObject(properties)) return true
  return Object.entries(wantedBy(method, decodeObject(body))).every(([name, value]) =>
    isApplied('properties', value, Object.hasOwn(properties, name) ? properties[name] : undefined),
  )
}

/** Expected properties after the request; undefined for a deleted one. */
function wantedBy(method: string, { $unset, key, value, properties }: JsonObject): JsonObject {
  if (typeof $unset === 'string') return { [$unset]: undefined }
  if (typeof key === 'string') return { [key]: value }
  return method === 'PATCH' && isObject(properties) ? properties : {}
}
