/** Completes words of commands, options, fixed choices and names of profiles; files are left to the shell. */
import type { Tree } from './command.ts'
import { commandWords, isNamed, optionsAt, readCommandLine } from './program.ts'

/** `words`: those behind `analytics`, up to the cursor. In each candidate a tab stands before its summary. */
export async function candidatesFor(
  words: readonly string[],
  tree: Tree,
  profiles: () => readonly string[],
): Promise<readonly string[]> {
  const before = words.slice(0, -1)
  const current = words.at(-1) ?? ''
  const { parser, command } = await readCommandLine(before, tree)
  const options = optionsAt(parser)
  const [head = '', name = before.at(-1)] = /^(--[^=]+)=/.exec(current) ?? []
  const option = options.find(one => one.required && isNamed(one, name ?? ''))
  const [noun, verb] = commandWords(parser)
  const possible = () => {
    if (option) {
      const choices = option.long === '--profile' ? profiles() : (option.argChoices ?? [])
      return choices.map(choice => head + choice)
    }
    if (current.startsWith('-')) return options.map(({ long, description }) => `${long}\t${description}`)
    if (!command) return parser.commands.map(one => `${one.name()}\t${one.summary()}`.trimEnd())
    if (noun === 'profiles' && verb !== 'add') return profiles()
    return parser.registeredArguments[parser.args.length]?.argChoices ?? []
  }
  return possible().filter(candidate => candidate.startsWith(current))
}

/** Each asks `analytics __complete -- WORDS…`; without a candidate the shell completes names of files. */
export const shells = {
  // bash takes `=` for the end of a word.
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
if [[ $funcstack[1] == _analytics ]]; then _analytics; else compdef _analytics analytics; fi
`,
  fish: `# In ~/.config/fish/completions/analytics.fish: analytics completion fish | source
function __analytics_complete
    set -l typed (commandline -opc)
    set -l lines (analytics __complete -- $typed[2..-1] (commandline -ct) 2>/dev/null)
    test -n "$lines"; and printf '%s\\n' $lines; or __fish_complete_path (commandline -ct)
end
complete -c analytics -f -k -a '(__analytics_complete)'
`,
}
