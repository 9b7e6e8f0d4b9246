import { settingRows } from '../config/settings.ts'
import type { Env } from '../host.ts'
import { type Kind, text } from '../values/kinds.ts'
import { commaList } from '../values/lists.ts'

const wholeText = /^\$(\$*)\{([^{}]+)\}$/

const nameForm = /^[A-Za-z_]\w*$/

export function isVariableName(text: string): boolean {
  return nameForm.test(text)
}

export function variableIn(text: string): string | undefined {
  const [, dollars, name] = wholeText.exec(text) ?? []
  return dollars === '' ? name : undefined
}

/** A variable inside a longer text is not replaced. */
export function variableWithin(text: string): string | undefined {
  return wholeText.test(text) ? undefined : /\$\{([A-Za-z_]\w*)\}/.exec(text)?.[1]
}

/** `$${NAME}` in a file means the text `${NAME}`, and `$$${NAME}` means `$${NAME}`. */
export function unescapeVariable(text: string): string {
  return wholeText.test(text) ? text.slice(1) : text
}

export function escapeVariable(text: string): string {
  return wholeText.test(text) ? `$${text}` : text
}

/** CI systems use an empty variable for a missing secret, so it counts as not set. */
export function readVariable(env: Env, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] || undefined : undefined
}

export function isKeyVariable(name: string): boolean {
  return settingRows.some(([, row]) => row.secret === true && row.variable === name)
}

/** Its problems do not repeat the text: the shell may have put in the value, which may be a secret. */
const variableName: Kind<string> = {
  ...text,
  parse(name) {
    if (isVariableName(name)) return { value: name }
    return { problem: 'that is not the name of a variable', hint: 'Give the name alone, such as DEPLOY_ZONE' }
  },
}

export const variableNames = commaList(variableName)
