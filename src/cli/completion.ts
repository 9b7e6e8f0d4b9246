/** Completion without requests. */
import { readProfiles } from '../config/store.ts'
import { stateFolder } from '../files/platform.ts'
import type { Host } from '../host.ts'
import { isOptionNamed, type Tree } from './command.ts'
import { commandWords, optionsAt, readCommandLine } from './program.ts'

/** `words`: after `analytics`, up to the cursor. Each candidate is a word, or a word, a tab and its summary. */
export async function candidatesFor(words: readonly string[], tree: Tree, host: Host): Promise<readonly string[]> {
  const before = words.slice(0, -1)
  const current = words.at(-1) ?? ''
  // commander would stop at an option without its value.
  const completeWords = before.at(-1)?.startsWith('-') ? before.slice(0, -1) : before
  const { parser, command } = await readCommandLine(completeWords, tree)
  const options = optionsAt(parser)
  const [assigned = '', name = before.at(-1)] = /^(--[^=]+)=/.exec(current) ?? []
  const option = options.find(one => one.required && isOptionNamed(one, name ?? ''))
  const [group = '', verb = ''] = commandWords(parser)
  const allCandidates = async () => {
    if (option) {
      // In a list, completes the last item.
      const [list = ''] = option.long === '--fields' ? (/^.*,/s.exec(current.slice(assigned.length)) ?? []) : []
      const choices = option.argChoices ?? (await valuesOf(option.long ?? '', group, host))
      return choices.map(choice => assigned + list + choice)
    }
    if (current.startsWith('-')) return options.map(({ long, description }) => `${long}\t${description}`)
    if (!command) return parser.commands.map(one => `${one.name()}\t${one.summary()}`.trimEnd())
    if (group === 'profiles' && verb !== 'add' && parser.args.length === 0) return profileNames(host)
    if (group === 'jobs' && verb !== 'list') return jobIds(host)
    if (group === 'help') return helpWords(parser.args, tree)
    return parser.registeredArguments[parser.args.length]?.argChoices ?? []
  }
  return (await allCandidates()).filter(candidate => candidate.startsWith(current))
}

async function valuesOf(option: string, group: string, host: Host): Promise<readonly string[]> {
  if (option === '--profile') return profileNames(host)
  if (option === '--timezone') return Intl.supportedValuesOf('timeZone')
  if (option !== '--fields') return []
  const { collections } = await import('../operations/collections.ts')
  const collection = Object.values(collections).find(({ name }) => name === group.replace('-', '_'))
  return collection ? [...new Set([...collection.view.columns, ...collection.view.fields])] : []
}

function profileNames(host: Host): readonly string[] {
  return Object.keys(readProfiles(host).profiles)
}

async function jobIds(host: Host): Promise<readonly string[]> {
  const { listJobs } = await import('../jobs/find-job.ts')
  const { jobsFolder } = await import('../jobs/job.ts')
  const jobs = listJobs(jobsFolder(stateFolder(host)), () => undefined)
  return jobs.map(({ name, header }) => `${name}\t${header.command}`)
}

async function helpWords([group = '', ...verbs]: readonly string[], tree: Tree): Promise<readonly string[]> {
  const { topicNames } = await import('./help.ts')
  const node = tree[group]
  if (group === '') return [...topicNames, ...Object.keys(tree)]
  return typeof node === 'object' && verbs.length === 0 ? Object.keys(node.commands) : []
}

/** Each script runs `analytics __complete -- WORDS…`. Without a candidate the shell completes file names. */
export const shells = {
  // bash splits words at `=`.
  bash: `# In ~/.bashrc: source <(analytics completion bash)
_analytics() {
  local line=\${COMP_LINE:0:COMP_POINT} words IFS=$' \\t\\n'
  read -ra words <<< "$line"
  [[ $line == *' ' ]] && words+=('')
  IFS=$'\\n'
  COMPREPLY=($(analytics __complete -- "\${words[@]:1}" 2>/dev/null | cut -f1))
  [[ \${words[\${#words[@]}-1]} == *=* ]] && COMPREPLY=("\${COMPREPLY[@]#*=}")
}
complete -o default -F _analytics analytics
`,
  zsh: `#compdef analytics
# In ~/.zshrc, after compinit: source <(analytics completion zsh)
_analytics() {
  local -a lines
  local tab=$'\\t'
  lines=("\${(@f)$(analytics __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -z $lines ]] && { compset -P 1 '*='; _files; return }
  lines=("\${(@)lines//:/\\\\:}")
  lines=("\${(@)lines/$tab/:}")
  _describe analytics lines
}
if [[ $funcstack[1] == _analytics ]]; then _analytics
elif (( $+functions[compdef] )); then compdef _analytics analytics; fi
`,
  fish: `# In ~/.config/fish/completions/analytics.fish: analytics completion fish | source
function __analytics_complete
    set -l typed (commandline -opc)
    set -l lines (analytics __complete -- $typed[2..-1] (commandline -ct) 2>/dev/null)
    test -n "$lines"; and printf '%s\\n' $lines; or __fish_complete_path (commandline -ct)
end
complete -c analytics -f -k -a '(__analytics_complete)'
`,
  // PowerShell before 7.3 drops an empty argument, and all versions drop an unquoted -- before a script such as npm's.
  powershell: `# In $PROFILE: analytics completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName analytics -ScriptBlock {
    param($word, $line, $cursor)
    $words = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
    $words += if ($word) { $word } elseif ($PSVersionTable.PSVersion -ge '7.3') { '' } else { '""' }
    analytics __complete '--' @words 2>$null | ForEach-Object {
        $value, $about = $_ -split "\`t", 2
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $(if ($about) { $about } else { $value }))
    }
}
`,
}
