import { project, secretFields } from '../api/resources.ts'
import type { Env } from '../host.ts'
import { type Member, type Node, nameOfKey, readYaml } from '../json/yaml.ts'
import { nearest } from '../text/nearest.ts'
import { fields } from './fields.ts'
import { byLine, type Mistake, mistakeAt } from './mistakes.ts'
import { readValue, type ValueReader } from './value.ts'
import { isKeyVariable, isVariableName, readVariable } from './variables.ts'

export interface Variables {
  readonly env: Env
  readonly allowed: readonly string[]
}

export interface VariableUse {
  readonly file: string
  readonly line: number
  readonly field: string
  readonly variable: string
  readonly text: string
}

export interface FileEntry {
  readonly file: string
  readonly line: number
  readonly field: string
  readonly value: unknown
  readonly uses: readonly VariableUse[]
  /** Unusable variables: a mistake unless a later file has another value for the field. */
  readonly variableMistakes: readonly Mistake[]
  readonly remarks: readonly string[]
}

export interface FileEntries {
  readonly entries: readonly FileEntry[]
  readonly mistakes: readonly Mistake[]
}

/** `file`: its name in messages. Throws `UsageError` for text that is not YAML; other mistakes are returned. */
export function readEntries(text: string, file: string, variables: Variables): FileEntries {
  const { root, mistakes: unclear } = readYaml(text, file)
  const mistakes = unclear.map(mistake => mistakeAt(file, mistake))
  const isNull = root?.shape === 'null' && root.text === 'null'
  if (root === undefined || root.shape === 'invalid' || isNull) return { entries: [], mistakes }
  if (root.shape !== 'map') return { entries: [], mistakes: byLine([...mistakes, notSettings(root, file)]) }
  const members = root.members.filter(({ name }) => name !== '$schema')
  const entries = members.flatMap(member => {
    const kind = fields.get(member.name)
    if (!kind) mistakes.push(notWritable(member, file))
    return kind ? [readEntry(member, file, variables, mistakes)] : []
  })
  return { entries, mistakes: byLine(mistakes) }
}

function readEntry({ line, name, value }: Member, file: string, variables: Variables, mistakes: Mistake[]): FileEntry {
  const uses: VariableUse[] = []
  const variableMistakes: Mistake[] = []
  const remarks: string[] = []
  const mistake = (label: string, at: number, problem: string, hint: string) =>
    mistakeAt(file, { line: at, problem: `${label} ${problem}`, hint }, name)
  const reader: ValueReader = {
    mistake: ({ label }, at, problem, hint) => void mistakes.push(mistake(label, at, problem, hint)),
    unfitVariable: ({ label }, at, problem, hint) => void variableMistakes.push(mistake(label, at, problem, hint)),
    variable({ label }, at, variable) {
      const text = readVariable(variables.env, variable)
      const problem = variableProblem(variable, text, variables)
      if (problem) variableMistakes.push(mistake(label, at, problem.problem, problem.hint))
      else if (text !== undefined) uses.push({ file, line: at, field: name, variable, text })
      return problem ? undefined : text
    },
    variableAsText({ label, secret }, at, variable) {
      const named = secret ? 'the name of a variable' : `$\{${variable}}`
      const reason = 'only a value that is nothing else is taken from a variable'
      remarks.push(`${file}:${at}: ${label} holds ${named} as text: ${reason}`)
    },
  }
  const place = { label: name, secret: secretFields.includes(name) }
  const read = readValue(fields.get(name) as never, value, place, reader)
  return { file, line, field: name, value: read, uses, variableMistakes, remarks }
}

function variableProblem(variable: string, text: string | undefined, { allowed }: Variables) {
  if (!isVariableName(variable)) {
    return {
      problem: `names no variable: ${JSON.stringify(variable)} is none`,
      hint: `Write $\{NAME} without blanks or a default, or $\${${variable}} if that very text is meant`,
    }
  }
  if (isKeyVariable(variable)) {
    return { problem: `cannot be ${variable}: the key is not a setting`, hint: 'Take it from another variable' }
  }
  if (!allowed.includes(variable)) {
    return {
      problem: `takes its value from the variable ${variable}, which the command line does not allow`,
      hint: `Pass --env ${variable} to allow it, or write $\${${variable}} if that very text is meant`,
    }
  }
  if (text !== undefined) return undefined
  return {
    problem: `takes its value from the variable ${variable}, which is not set`,
    hint: `Set it, or write $\${${variable}} if that very text is meant`,
  }
}

function notSettings({ line }: Node, file: string): Mistake {
  const problem = 'this is not a setting, which is field: value'
  return mistakeAt(file, { line, problem, hint: 'Write settings as in timezone: Europe/Berlin' })
}

function notWritable({ line, name }: Member, file: string): Mistake {
  if (Object.hasOwn(project.fields, name)) {
    const problem = `${name} is read-only: the service sets it`
    return mistakeAt(file, { line, problem, hint: 'Take it out of the file' }, name)
  }
  const near = nearest(name, [...fields.keys()])
  const hint = near ? `Did you mean ${near}?` : 'analytics projects pull writes all of them'
  const problem = nameOfKey(name) ? `a project has no field ${JSON.stringify(name)}` : 'a project has no such field'
  return mistakeAt(file, { line, problem, hint }, name)
}
