import { UsageError } from '../errors.ts'
import type { YamlMistake } from '../json/yaml.ts'
import { sentence } from '../messages/messages.ts'

export interface Mistake {
  /** Begins with file and line: `settings.yaml:2: a project has no field "zone"`. */
  readonly text: string
  readonly field: string | undefined
  readonly hint: string
  /** 0 for a file that cannot be read. */
  readonly line: number
}

export function mistakeAt(file: string, { line, problem, hint }: YamlMistake, field?: string): Mistake {
  return { text: `${file}:${line}: ${problem}`, field, hint, line }
}

export function byLine(mistakes: readonly Mistake[]): readonly Mistake[] {
  return mistakes.toSorted((a, b) => a.line - b.line)
}

/** With more lines, the first ones would scroll away. */
const shownMistakes = 50

/** Throws `UsageError` if there are mistakes; several are written first with `say`, one per line. */
export function refuseMistakes(mistakes: readonly Mistake[], say: (line: string) => void): void {
  const [first] = mistakes
  if (!first) return
  if (mistakes.length === 1) throw new UsageError(first.text, { attr: first.field, hint: first.hint })
  for (const { text, hint } of mistakes.slice(0, shownMistakes)) say(`${sentence(text)} ${hint}`)
  const more = mistakes.length - shownMistakes
  if (more > 0) say(`and ${more} more`)
  throw new UsageError(`The settings have ${mistakes.length} mistakes; nothing was sent`, {
    attr: first.field,
    hint: 'Correct the lines above',
  })
}

export function mistakeOf(error: unknown): Mistake {
  if (!(error instanceof UsageError)) throw error
  return { text: error.message, field: error.facts.attr, hint: error.facts.hint ?? 'Check the file', line: 0 }
}
