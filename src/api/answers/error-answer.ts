/** Recognises errors in JSON that come with a 2xx. */
import type { Request } from '../../http/message.ts'
import type { Item } from '../../json/item.ts'
import { kindOf, members, textOf } from '../../json/pick.ts'
import { isRecord } from './record-identity.ts'

/** Keys without case, dashes and underscores: `errorMessage`, `error_message`, `ErrorMessage`. */
type Members = ReadonlyMap<string, Item>

const faults = [
  ...['error', 'errors', 'errorcode', 'errordescription', 'errormessage', 'errortext', 'errortype'],
  ...['exception', 'fault'],
]
const statuses = ['code', 'httpstatus', 'result', 'status', 'statuscode']

const errorMembers: ReadonlySet<string> = new Set([
  ...[...faults, ...statuses],
  ...['attr', 'detail', 'extra', 'message', 'requestid', 'success', 'title', 'type'],
])

const longestErrorObject = 256 * 1024

/** A DELETE and a documented write return nothing or a record, so an object that names an error is one. */
export function isErrorObject({ effect, isDocumented }: Request, item: Item): boolean {
  if (item.length > longestErrorObject) return false
  const whole = new Map(members(item))
  const found = plainlyNamed(whole)
  const isWrite = effect === 'set' || (effect === 'act' && isDocumented === true)
  const mayBe = isWrite ? !isRecord(item, [...whole.keys()]) : [...found.keys()].every(name => errorMembers.has(name))
  return mayBe && (namesError(found) || hasDetail(found) || (isWrite && deniesWrite(found)))
}

/** A page that has rows may contain a remark in `detail`. */
export function isErrorPage(page: Members, rows: number): boolean {
  const found = plainlyNamed(page)
  return namesError(found) || (hasDetail(found) && (rows === 0 || !found.has('next')))
}

function plainlyNamed(found: Members): Members {
  return new Map([...found].map(([name, value]) => [name.toLowerCase().replace(/[_-]/g, ''), value]))
}

function namesError(found: Members): boolean {
  return (
    faults.some(name => isGiven(found.get(name))) ||
    statuses.some(name => failedStatus.test(found.get(name)?.toString() ?? '')) ||
    isDenied(found.get('success'))
  )
}

/** In the answer of a read, these may be data. */
function deniesWrite(found: Members): boolean {
  return ['ok', 'deleted'].some(name => isDenied(found.get(name))) || isLoneRefusal(found)
}

const remarks: readonly string[] = ['message', 'msg', 'reason', 'title']
const besideRemark: readonly string[] = [
  ...['code', 'details', 'instance', 'path', 'requestid', 'status', 'timestamp', 'traceid', 'type'],
]

/** Gateways send a remark alone, which does not say that anything was done. */
function isLoneRefusal(found: Members): boolean {
  const said = remarks.flatMap(name => textIn(found.get(name)))
  const isAlone = [...found.keys()].every(name => remarks.includes(name) || besideRemark.includes(name))
  if (said.length === 0 || !isAlone) return false
  if (said.some(text => refusalWords.test(text.replace(noFaultWords, '')))) return true
  const isAccepted = ['status', 'code'].some(name => acceptedStatus.test(found.get(name)?.toString() ?? ''))
  return !isAccepted && !said.some(text => successWords.test(text))
}

function textIn(value: Item | undefined): string[] {
  const text = value !== undefined && kindOf(value) === 'string' ? textOf(value).trim() : ''
  return text === '' ? [] : [text]
}

const refusalWords =
  /\b(0 (objects?|people|persons?|records?|rows?)|blocked|cannot|denied|disabled|errors?|exceeded|fail\w*|false|forbidden|invalid|log in|missing|no|not|nothing|please|refused|rejected|require\w*|timed out|timeout|unable|unauthorized|unavailable|unknown)\b|n't\b/i

const noFaultWords = /\b(no|0|zero|without) (changes?|content|errors?|failures?)\b( (needed|required))?/gi

const successWords =
  /\b(accepted|changed|complete\w*|created|deleted|done|ok|queued|removed|scheduled|success\w*|updated|marked for (deletion|removal)|(deletion|removal)\b.*\b(begun|in progress|requested|start(ed|s)?|under ?way))\b/i

const acceptedStatus =
  /^"?(0|2\d\d|accepted|completed?|created|deleted|done|in[ _-]?progress|ok|pending|processing|queued|removed|scheduled|started|success\w*|updated)"?$/i

function hasDetail(found: Members): boolean {
  const detail = found.get('detail')
  return detail !== undefined && kindOf(detail) === 'string' && isGiven(detail)
}

function isDenied(value: Item | undefined): boolean {
  return value !== undefined && /^"?(false|no|0)"?$/i.test(value.toString())
}

function isGiven(value: Item | undefined): boolean {
  return value !== undefined && !nothingGiven.test(value.toString())
}

const nothingGiven = /^(null|false|0|"\s*(0|false|no|no[ _]error|none|null|ok|success)?\s*"|\[\s*\]|\{\s*\})$/i

const failedStatus = /^"?(denied|error|fail(ed|ure)?|forbidden|not[ _-]?found|unauthorized|[45]\d\d)"?$/i
