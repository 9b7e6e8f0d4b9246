/** The options of a command that changes objects: which targets, how many at most, and how they are worked on. */
import { canary, guards, keptFiles, nameLists, reasonOptions, runLimits } from '../../cli/bulk-options.ts'
import { filters } from '../../cli/filters.ts'
import { flag, inSection, manyArguments, type OptionsOf, option, repeated } from '../../cli/options.ts'
import { pathFilter } from '../../filters/filter.ts'
import { inputFile, name, text } from '../../values/kinds.ts'

export const ids = manyArguments('ID', 'ids of the targets; or give them by an option below')

export const many = {
  ...inSection('Targets', {
    from: option(inputFile, 'FILE', 'ids in a file (- is stdin): one per line, NDJSON or CSV'),
    where: repeated(pathFilter, 'FILTER', 'by a field, such as last_seen_at<-90d'),
    all: flag('all that the service lists; a delete also needs --expect N'),
  }),
  ...guards,
  ...runLimits,
  ...keptFiles,
  ...reasonOptions,
}

/** What a job that was stored or planned takes when it is run. */
export const jobOptions = { ...runLimits, ...keptFiles }

const { search, email, distinctId, property } = filters

export const ofPersons = {
  ...inSection('Targets', {
    distinctIdsFrom: option(inputFile, 'FILE', 'persons with the distinct ids in a file (- is stdin)'),
    emailsFrom: option(inputFile, 'FILE', 'persons with the e-mails in a file (- is stdin)'),
    search,
    email,
    distinctId,
    property,
  }),
  ...nameLists,
}

/** Targets with their own values, for updates. */
export const ofRows = {
  rows: option(inputFile, 'FILE', 'ids with values to set, as NDJSON or CSV (- is stdin)'),
  types: repeated(text, 'KEY=TYPE,…', 'column types: number, boolean, json or text'),
}

export const ofEventDefinitions = inSection('Targets', {
  byName: repeated(name, 'NAME', 'the event definition with exactly this name'),
})

export type TargetOptions = Partial<
  OptionsOf<typeof many> &
    OptionsOf<typeof canary> &
    OptionsOf<typeof ofPersons> &
    OptionsOf<typeof ofEventDefinitions> &
    OptionsOf<typeof ofRows>
>

/** Only the names of options and their numbers: text could be personal. */
export function recordedOptions(options: Readonly<Record<string, unknown>>): Record<string, boolean | number | '…'> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]): [string, boolean | number | '…'][] => {
      if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return []
      return [[name, value === true || (typeof value === 'number' && name in { ...many, ...canary }) ? value : '…']]
    }),
  )
}
