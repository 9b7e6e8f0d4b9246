/** `${NAME}`, a value from the environment, and `$${NAME}`, that very text. */
import { settingRows } from '../profiles/settings.ts'

export type Env = Readonly<Record<string, string | undefined>>

const whole = /^\$(\$*)\{([^{}]+)\}$/

/** The variable that a text names, if it names one: the whole of it, never a part. */
export function variableOf(text: string): string | undefined {
  const [, more, name] = whole.exec(text) ?? []
  return more === '' ? name : undefined
}

/** What a text says that names no variable: `$${NAME}` stands for `${NAME}`, `$$${NAME}` for `$${NAME}`. */
export function said(text: string): string {
  return whole.test(text) ? text.slice(1) : text
}

/** The other way round: how to write a text so that it is not taken for a variable. */
export function spelled(text: string): string {
  return whole.test(text) ? `$${text}` : text
}

/** The value of a variable. An empty one is how a CI says that it does not have a secret, so it counts as not set. */
export function lookUp(env: Env, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] || undefined : undefined
}

/** Whether a variable holds what lets us in: never to be sent as a setting, nor shown as a difference. */
export function isKey(name: string): boolean {
  return settingRows.some(([, row]) => row.secret === true && row.variable === name)
}
