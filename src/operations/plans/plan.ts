/** A plan is a file with an operation and its fixed targets, to be reviewed, signed, and run by `jobs run`. */
import { RefusedError, UsageError } from '../../errors.ts'
import { digestOfBytes } from '../../files/digest.ts'
import { writePrivateFile } from '../../files/private-file.ts'
import { longestText } from '../../files/read.ts'
import { type InputHost, readInput } from '../../files/read-input.ts'
import { digestOfTargets } from '../../jobs/receipts/receipt.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import { decode, encode } from '../../json/exact.ts'
import { Malformed } from '../../json/item.ts'
import { isId } from '../../values/ids.ts'
import { rowOf } from '../operation.ts'
import { isPlan, type PlanContent } from './plan-form.ts'

type NewPlan = Omit<PlanContent, 'targets_sha256' | 'targets'> & { readonly targets: Targets }

export interface PlanFile {
  readonly plan: PlanContent
  /** Digest of the text before this member. */
  readonly sha256: string
  readonly bytes: Buffer
}

/** Mode 0600, atomically. One member or target per line, so that a review shows changes. */
export function writePlan(path: string, plan: NewPlan): void {
  const { targets, ...facts } = plan
  const members = Object.entries({ ...facts, targets_sha256: digestOfTargets(targets) })
  const lines = members.map(([name, value]) => `${JSON.stringify(name)}: ${encode(value)},\n`)
  const ids = Array.from(targets, id => `  ${JSON.stringify(id)}`).join(',\n')
  const text = `{\n${lines.join('')}"targets": [\n${ids}\n],\n`
  writePrivateFile(path, '--plan', `${text}"sha256": "${digestOfBytes(text)}"\n}\n`)
}

/** Throws `UsageError` for an unreadable file, and `RefusedError` for an altered one. */
export async function readPlan(host: InputHost, path: string): Promise<PlanFile> {
  const input = { file: path, where: `The plan ${path}`, most: longestText }
  const bytes = await readInput(host, input)
  const [, text = '', sha256 = ''] = /^([\s\S]*\n)"sha256": "([0-9a-f]{64})"\n\}\n$/.exec(bytes.toString()) ?? []
  if (sha256 === '') throw new RefusedError(`${path} is not a plan, or was changed`, { hint: again })
  if (digestOfBytes(text) !== sha256) throw new RefusedError(`The plan ${path} was changed`, { hint: again })
  const plan = parsed(`${text}"sha256": ""}`)
  if (!isPlan(plan)) {
    throw new UsageError(`The plan ${path} was written by another version of analytics`, { hint: again })
  }
  const { collection } = rowOf(plan.operation)
  const isWhole = digestOfTargets(plan.targets) === plan.targets_sha256
  if (!isWhole || !plan.targets.every(id => isId(collection, id))) {
    throw new RefusedError(`The targets of the plan ${path} were changed`, { hint: again })
  }
  return { plan, sha256, bytes }
}

const again = 'Write it again with --plan'

function parsed(text: string): unknown {
  try {
    return decode(text)
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}
