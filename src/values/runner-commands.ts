/** "Workflow commands" of GitHub Actions (`::`, `##[`), "Logging commands" of Azure Pipelines (`##vso[`, `##[`). */

const blank = String.raw`(?:(?!\n)[\s\p{Cc}\p{Cf}])*`
const mark = String.raw`(?:::|##\[|##vso\[)`

export function holdsRunnerCommand(text: string): boolean {
  return mayHold(text) && runnerCommand().test(text)
}

export function runnerCommand(): RegExp {
  return new RegExp(`^${blank}${mark}`, 'imu')
}

/** Spells out the first character of each such command: `\u003a:add-mask::`. */
export function escapeRunnerCommands(text: string): string {
  if (!mayHold(text)) return text
  return text.replace(new RegExp(`^(${blank})(?=${mark})([:#])`, 'gimu'), (_, blanks: string, first: string) => {
    return `${blanks}\\u00${first.charCodeAt(0).toString(16)}`
  })
}

function mayHold(text: string): boolean {
  return text.includes('::') || text.includes('##')
}

export function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(env.CI) && env.CI !== 'false'
}
