/** "Workflow commands" of GitHub Actions (`::`, `##[`) and "Logging commands" of Azure Pipelines (`##vso[`, `##[`). */

const blank = String.raw`(?:(?!\n)[\s\p{Cc}\p{Cf}])*`
const mark = String.raw`(?:::|##\[|##vso\[)`
/** Looks back from a mark, since searching from each start of a line takes minutes in long runs of CR or U+2028. */
const command = `(?=${mark})(?<=^${blank})`

export function holdsRunnerCommand(text: string): boolean {
  return mayHold(text) && runnerCommand().test(text)
}

export function runnerCommand(): RegExp {
  return new RegExp(command, 'imu')
}

/** Escapes the first character of each command: `\u003a:add-mask::`. */
export function escapeRunnerCommands(text: string): string {
  if (!mayHold(text)) return text
  return text.replace(new RegExp(`${command}[:#]`, 'gimu'), first => `\\u00${first.charCodeAt(0).toString(16)}`)
}

function mayHold(text: string): boolean {
  return text.includes('::') || text.includes('##')
}
