/** `job.json`: the description of a run, and the SHA-256 of all of it. */
import { join } from 'node:path'
import { UsageError } from '../errors.ts'
import { digestOfBytes } from '../files/digest.ts'
import { readRegularFile } from '../files/regular-file.ts'
import { exactly, isCount, isFlag, isText, mapOf, nullOr, optionalOf, recordOf } from '../json/checks.ts'
import { isObject } from '../json/exact.ts'
import { readOwn } from '../json/own.ts'
import { AlteredError } from './journal/read-journal.ts'
import { isStoredReceiptFacts, type StoredReceiptFacts } from './receipts/receipt.ts'
import type { RecordedOptions } from './recorded-options.ts'

export interface JobLocation {
  readonly name: string
  readonly folder: string
}

export interface JobHeader {
  readonly version: 3
  readonly command: string
  readonly path: Readonly<Record<string, string>>
  readonly profile: string | null
  readonly base: string
  readonly options: RecordedOptions
  readonly receipt: StoredReceiptFacts
  /** Key of the marks in the journal; absent if the run cannot be undone. */
  readonly markKey: string | undefined
  readonly plan: string | undefined
  /** `--max-failures` of the plan, null without one; absent without a plan. */
  readonly plannedFailures: number | null | undefined
  readonly created_at: string
  readonly total: number
  readonly targets: string
  readonly unsent: string
}

const version = 3

const isRecorded = (value: unknown): value is boolean | number | '…' =>
  isFlag(value) || typeof value === 'number' || value === '…'

const isHeader = recordOf<JobHeader>({
  version: exactly(version),
  command: isText,
  path: mapOf(isText),
  profile: nullOr(isText),
  base: isText,
  options: mapOf(isRecorded),
  receipt: isStoredReceiptFacts,
  markKey: optionalOf(isText),
  plan: optionalOf(isText),
  plannedFailures: optionalOf(nullOr(isCount)),
  created_at: isText,
  total: isCount,
  targets: isText,
  unsent: isText,
})

export function encodeHeader(header: JobHeader): { text: string; digest: string } {
  const digest = digestOfBytes(JSON.stringify(header))
  return { text: `${JSON.stringify({ ...header, sha256: digest }, null, 2)}\n`, digest }
}

/** Throws `AlteredError`, and `UsageError` for a job of another version. */
export function readHeader({ name, folder }: JobLocation) {
  const bytes = readRegularFile(join(folder, 'job.json'))
  const header = readOwn<JobHeader>(bytes, {
    version: ['version', version],
    typed: typedHeader,
    print: header => encodeHeader(header).text,
  })
  if (header === 'altered') throw new AlteredError('The header was changed')
  if (header === 'other version') throw new OtherVersionError(name, factsIn(JSON.parse(bytes.toString())))
  return { header, digest: encodeHeader(header).digest }
}

function typedHeader(value: unknown): JobHeader | undefined {
  if (!isObject(value)) return undefined
  const { sha256: _, ...header } = value
  return isHeader(header) ? header : undefined
}

/** What a list of jobs shows, as far as the job says it. */
export interface JobFacts {
  readonly command: string
  readonly base: string
  readonly path: Readonly<Record<string, string>>
  readonly created_at: string
}

/** Such jobs are listed, and only that version reads more of them. */
export class OtherVersionError extends UsageError {
  readonly job: JobFacts

  constructor(name: string, job: JobFacts) {
    super(`Job ${name} was made by another version of analytics`, { hint: 'Go on with it in that version' })
    this.job = job
  }
}

function factsIn(header: unknown): JobFacts {
  const { command, base, path, created_at } = isObject(header) ? header : {}
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const scopes = Object.entries(isObject(path) ? path : {}).map(([name, value]) => [name, text(value)] as const)
  return { command: text(command), base: text(base), path: Object.fromEntries(scopes), created_at: text(created_at) }
}
