import { project, secretFields } from '../api/resources.ts'
import { type Member, type Node, readYaml } from '../json/yaml.ts'
import { nearest } from '../text/nearest.ts'
import { fields } from './fields.ts'
import { type Mistake, mistakeOf } from './mistakes.ts'
import { readValue, type ValueReader } from './value.ts'
import { type Env, isKeyVariable, readVariable } from './variables.ts'

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
}

export interface FileEntries {
  readonly entries: readonly FileEntry[]
  readonly mistakes: readonly Mistake[]
}

/** `file`: its name in messages. Never throws for a mistake in the text. */
export function readEntries(text: string, file: string, variables: Variables): FileEntries {
  let root: Node | undefined
  try {
    root = readYaml(text, file)
  } catch (error) {
    return { entries: [], mistakes: [mistakeOf(error)] }
  }
  if (root === undefined || (root.shape === 'null' && root.text === 'null')) return { entries: [], mistakes: [] }
  if (root.shape !== 'map') return { entries: [], mistakes: [notSettings(root, file)] }
  const mistakes: Mistake[] = []
  const members = root.members.filter(({ name }) => name !== '$schema')
  const entries = members.flatMap(member => {
    const kind = fields.get(member.name)
    if (!kind) mistakes.push(notWritable(member, file))
    return kind ? [readEntry(member, file, variables, mistakes)] : []
  })
  return { entries, mistakes }
}

function readEntry({ line, name, value }: Member, file: string, variables: Variables, mistakes: Mistake[]): FileEntry {
  const uses: VariableUse[] = []
  const variableMistakes: Mistake[] = []
  const mistake = (label: string, at: number, problem: string, hint: string): Mistake => ({
    text: `${file}:${at}: ${label} ${problem}`,
    field: name,
    hint,
  })
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
  }
  const place = { label: name, secret: secretFields.includes(name) }
  const read = readValue(fields.get(name) as never, value, place, reader)
  return { file, line, field: name, value: read, uses, variableMistakes }
}

function variableProblem(variable: string, text: string | undefined, { allowed }: Variables) {
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
  return {
    text: `${file}:${line}: this is not a setting, which is field: value`,
    hint: 'Write settings as in timezone: Europe/Berlin',
  }
}

function notWritable({ line, name }: Member, file: string): Mistake {
  if (Object.hasOwn(project.fields, name)) {
    return {
      text: `${file}:${line}: ${name} is read-only: the service sets it`,
      field: name,
      hint: 'Take it out of the file',
    }
  }
  const near = nearest(name, [...fields.keys()])
  return {
    text: `${file}:${line}: a project has no field ${JSON.stringify(name)}`,
    field: name,
    hint: near ? `Did you mean ${near}?` : 'analytics projects pull writes all of them',
  }
}
