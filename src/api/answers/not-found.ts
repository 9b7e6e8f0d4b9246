/** A 404 means a missing object, a wrong base URL, or a page after the last one. */
import { type Failure, NotFoundError, notTheService, RejectedError } from '../../errors.ts'
import { namedObject } from '../named-object.ts'
import { betterBaseOf, checkBaseOf } from './base-url-advice.ts'
import { type Refusal, worded } from './refusal.ts'

export function missingFailure(refusal: Refusal): Failure {
  const { request, page, body, errorBody, facts } = refusal
  const { method, url } = request
  const base = checkBaseOf(url)
  if (page) return new RejectedError(worded('Not found', refusal), { ...facts, hint: base, code: notTheService })
  const fromService = hasDetail(body)
  const later = fromService ? laterPage(url, errorBody.detail) : undefined
  const object = later ?? (fromService ? namedObject(method, url.pathname) : undefined)
  const message =
    object === undefined ? worded('Not found', refusal) : withDetail(`${object} was not found`, errorBody.detail)
  const advice = later === undefined ? adviceOnMissing(fromService, object) : 'Ask for an earlier page, or for --all'
  const hint = betterBaseOf(url) ? `${base}; if it is right, check the id` : advice
  return new NotFoundError(message, { ...facts, hint, fromService })
}

function adviceOnMissing(fromService: boolean, object: string | undefined): string {
  if (object !== undefined)
    return adviceOnPlace(object) ?? 'Check the id, and the project or organization that it belongs to'
  return fromService ? 'Check the path and the ids in it' : 'Check the base URL, then the path and the ids in it'
}

/** The id may come from a variable or the profile. */
function adviceOnPlace(object: string): string | undefined {
  if (/^Organization \S+(, or \S+ in it,)?$/.test(object))
    return 'Check the id in the command, ANALYTICS_ORGANIZATION or the profile'
  if (!/^Project \S+(, or \S+ in it,)?$/.test(object)) return undefined
  return 'Check the id in the command, ANALYTICS_PROJECT or the profile; analytics projects list shows the projects of this key'
}

function laterPage(url: URL, detail = ''): string | undefined {
  const page = url.searchParams.get('page') ?? ''
  return /^([2-9]|[1-9]\d{1,8})$/.test(page) && /\bpage\b/i.test(detail) ? `Page ${page}` : undefined
}

function isPlain(detail: string | undefined): boolean {
  return detail === undefined || /^not[ _]found$/i.test(detail)
}

function withDetail(sentence: string, detail: string | undefined): string {
  return isPlain(detail) ? sentence : `${sentence}: ${detail}`
}

/** Proxies and gateways send a 404 in other shapes. */
function hasDetail(body: string): boolean {
  try {
    const { detail }: { readonly detail?: unknown } = JSON.parse(body) ?? {}
    return typeof detail === 'string' && detail.trim() !== ''
  } catch {
    return false
  }
}
