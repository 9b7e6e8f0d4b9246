import { optionalArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { openOwnSandbox } from '../../connection/open-sandbox.ts'
import { UsageError } from '../../errors.ts'
import { objectDocument } from '../../output/document.ts'
import { rowView } from '../../output/views.ts'
import { read } from '../../result.ts'
import { duration } from '../../values/duration.ts'
import { nextBatch } from '../../values/instant.ts'
import { dateTime } from '../../values/kinds.ts'

const fields = { now: dateTime, batch_due: dateTime }

export default defineCommand({
  summary: "Show the sandbox's clock, or move it",
  details: 'The weekly batch that deletes events runs when the clock passes Sunday 05:00 UTC.',
  calls: [],
  args: {
    time: {
      ...optionalArgument('TIME', 'a date-time in UTC such as 2026-06-01T12:00:00Z, or a step such as +7d'),
      check: word => moment(word, 0),
    },
  },
  fields,
  options: {},
  examples: ['sandbox clock # Show it', 'sandbox clock +7d # Move it a week on'],
  async run({ time }, _, context) {
    const sandbox = await openOwnSandbox(context.host, context.values)
    try {
      const to = time === undefined ? undefined : moment(time, sandbox.clockNow())
      const removed = to === undefined || context.values.dryRun ? 0 : sandbox.moveClock(to)
      if (removed > 0) context.messages.notice(`The weekly batch removed ${removed} events`)
      const now = to ?? sandbox.clockNow()
      const shown = { now: new Date(now).toISOString(), batch_due: new Date(nextBatch(now)).toISOString() }
      return read({ document: objectDocument(shown, rowView(Object.keys(fields), 'now')) })
    } finally {
      sandbox.close()
    }
  },
})

/** Last time whose year has four digits. */
const latest = Date.UTC(9999, 11, 31, 23, 59, 59)

function moment(text: string, now: number): number {
  const found = text.startsWith('+') ? later(text.slice(1), now) : timeIn(text)
  if (found !== undefined && found <= latest) return found
  if (found !== undefined) throw new UsageError(`${JSON.stringify(text)} is after the year 9999`)
  throw new UsageError(`${JSON.stringify(text)} is neither a time nor a step`, {
    hint: 'Give a time such as 2026-06-01T12:00:00Z, or a step forward such as +7d',
  })
}

function later(step: string, now: number): number | undefined {
  const parsed = duration.parse(step)
  return 'value' in parsed ? now + parsed.value : undefined
}

function timeIn(text: string): number | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return timeIn(`${text}T00:00:00Z`)
  const parsed = dateTime.parse(/[Zz]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`)
  return 'value' in parsed ? Date.parse(parsed.value) : undefined
}
