/** Shows the common options in full, and the others as a list of names. */
import { boolean, integer, text } from '../../values/kinds.ts'
import type { Command } from '../command.ts'
import type { ArgumentSpec, ArgumentSpecs, HelpSection, OptionSpec } from '../options.ts'
import { commaSeparated, type HelpStyle, lines, optionRow, type Section } from './layout.ts'

/** More rows would not fit on a screen. */
const mostRows = 12

type Named = readonly [string, OptionSpec]

export function optionSections(words: string, { args, options }: Command, style: HelpStyle): readonly Section[] {
  const all = Object.entries(options)
  const of = (section?: HelpSection) => all.filter(([, spec]) => spec.section === section)
  const targets = of('Targets').map(optionRow)
  const shared = (['Lists', 'Guards', 'Run', 'Records'] as const).map(title => ({ title, options: of(title) }))
  const isLong = shared.flatMap(({ options }) => options).length + targets.length > mostRows
  return [
    { title: 'Options', rows: of().map(optionRow) },
    fields(words, of('Fields'), style),
    { title: 'Targets', rows: targets.length > 0 ? [...argumentRows(args), ...targets] : [] },
    ...(isLong ? [named(shared)] : shared.map(({ title, options }) => ({ title, rows: options.map(optionRow) }))),
  ].filter(({ rows }) => rows.length > 0)
}

const ordinary = new Set([text, integer, boolean].map(({ takes }) => takes))

/** If there are many fields, shows in full only those whose values need an explanation. */
function fields(words: string, options: readonly Named[], style: HelpStyle): Section {
  if (options.length <= mostRows) return { title: 'Fields', rows: options.map(optionRow) }
  const special = options.filter(([, { kind }]) => !ordinary.has(kind.takes))
  const others = options.filter(([, { kind }]) => ordinary.has(kind.takes))
  const [group] = words.split(' ')
  return {
    title: `Fields (analytics help fields ${group})`,
    rows: [...special.map(optionRow), ...lines(others.map(term), style)],
  }
}

function named(groups: readonly { readonly title: string; readonly options: readonly Named[] }[]): Section {
  const rows = groups.filter(({ options }) => options.length > 0)
  return {
    title: 'More options (analytics help bulk)',
    rows: rows.map(({ title, options }) => [title, commaSeparated(options.map(term))]),
  }
}

function term(option: Named): string {
  const [label] = optionRow(option)
  return option[1].form === 'repeated' ? `${label}...` : label
}

export function argumentRows(args: ArgumentSpecs): Section['rows'] {
  return Object.values(args).map(spec => [argumentTerm(spec), spec.summary])
}

export function argumentTerm(spec: ArgumentSpec): string {
  if (spec.form === 'required') return spec.value
  return spec.form === 'many' ? `[${spec.value}...]` : `[${spec.value}]`
}
