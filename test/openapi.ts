/** Answers held against the OpenAPI document that the package ships. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Endpoint } from '../src/api/endpoints.ts'

export const openapiFile = join(import.meta.dirname, '../dist/openapi.json')

export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Readonly<Record<string, { readonly content?: unknown }>>
}

export const openapi: OpenapiDocument = JSON.parse(readFileSync(openapiFile, 'utf8'))

const ajv = new Ajv2020({ allErrors: true, strictTypes: false })
ajv.addFormat('date-time', text => !Number.isNaN(Date.parse(text)))
ajv.addFormat('uuid', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i)
// Only its schemas are compiled: the document itself is none.
ajv.addVocabulary(Object.keys(openapi))
ajv.addSchema(openapi, 'openapi')
const compiled = new Map<string, ValidateFunction>()

export function operationOf(row: Endpoint): Operation | undefined {
  return openapi.paths[templateOf(row)]?.[row.method.toLowerCase()]
}

/** What of an answer the document does not allow. */
export function problemsOf(row: Endpoint, status: number, text: string): string[] {
  const responses = operationOf(row)?.responses ?? {}
  const place = responses[status] ? String(status) : 'default'
  if (status < 400 && place === 'default') return [`no answer ${status}`]
  // Servers answer some errors without a body.
  if (text === '') return responses[place]?.content && status < 400 ? ['no body'] : []
  if (!responses[place]?.content) return ['a body']
  const steps = ['paths', templateOf(row), row.method.toLowerCase(), 'responses', place, 'content', 'application/json']
  const pointer = [...steps, 'schema'].map(step => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#/${encodeURI(pointer)}` })
  compiled.set(pointer, validate)
  if (validate(JSON.parse(text))) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

function templateOf({ path }: Endpoint): string {
  return path.replace(/:(\w+)/g, '{$1}')
}
