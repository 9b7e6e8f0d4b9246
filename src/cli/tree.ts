import type { Command } from './command.ts'

type Load = () => Promise<Command>

export interface Group {
  readonly summary: string
  readonly commands: Readonly<Record<string, Load>>
  /** Commands that people try and that cannot exist, with the alternative. */
  readonly absent?: Readonly<Record<string, { readonly reason: string; readonly instead: string }>>
}

export type Tree = Readonly<Record<string, Group | Load>>
