/** Each script runs `analytics __complete -- WORDS…`, which prints lines of candidate, tab and summary, or `:files`. */

/**
 * bash splits words at `=`, `:` and `@` and replaces only the last part (`$2`), so each candidate loses its `head`. It
 * may insert what it shows, so summaries are sent only for a list (type 63).
 */
const bash = `# In ~/.bashrc: source <(analytics completion bash)
_analytics() {
  local rest=\${COMP_LINE:0:COMP_POINT} piece blank line value head i
  local -a typed=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    blank=\${rest%%[![:space:]]*}
    rest=\${rest#"$blank"}
    piece=\${COMP_WORDS[i]}
    ((i == COMP_CWORD)) && piece=$rest
    rest=\${rest#"$piece"}
    [[ -n $blank || i -eq 0 ]] && typed+=('')
    typed[\${#typed[@]}-1]+=\${piece//[\\"\\'\\\\\\\\]/}
  done
  head=\${typed[\${#typed[@]}-1]}
  head=\${head%"\${2//[\\"\\'\\\\\\\\]/}"}
  COMPREPLY=()
  compopt +o default 2>/dev/null
  while IFS= read -r line; do
    # Without candidates bash completes the names of files by itself.
    [[ $line == :files ]] && compopt -o default 2>/dev/null && return
    value=\${line%%$'\\t'*}
    value=\${value#"$head"}
    ((COMP_TYPE == 63)) && [[ $line == *$'\\t'* ]] && value+="  (\${line#*$'\\t'})"
    COMPREPLY+=("$value")
  done < <(analytics __complete -- "\${typed[@]:1}" 2>/dev/null)
}
complete -o default -F _analytics analytics
`

const zsh = `#compdef analytics
# In ~/.zshrc, after compinit: source <(analytics completion zsh)
_analytics() {
  local -a lines described
  local line tab=$'\\t'
  lines=("\${(@f)$(analytics __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  if [[ $lines[1] == :files ]]; then
    [[ $PREFIX == --*=* ]] && compset -P 1 '*='
    _files
    return
  fi
  for line in $lines; do
    if [[ $line == *$tab* ]]; then
      described+=("\${\${line%%$tab*}//:/\\\\:}:\${line#*$tab}")
    else
      described+=("\${line//:/\\\\:}")
    fi
  done
  (($#described)) && _describe analytics described
}
if [[ $funcstack[1] == _analytics ]]; then _analytics; else compdef _analytics analytics; fi
`

const fish = `# In ~/.config/fish/completions/analytics.fish: analytics completion fish | source
function __analytics_complete
    set -l typed (commandline -opc)
    set -l current (string replace -r -- '^["\\']' '' (commandline -ct))
    set -l lines (analytics __complete -- $typed[2..-1] "$current" 2>/dev/null)
    if test "$lines[1]" = ":files"
        set -l head (string match -r -- '^--[^=]*=' "$current")
        for file in (complete -C "'' "(string replace -- "$head" '' "$current") 2>/dev/null)
            echo "$head$file"
        end
    else
        printf '%s\\n' $lines
    end
end
complete -c analytics -f -k -a '(__analytics_complete)'
`

const powershell = `# In $PROFILE: analytics completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName analytics -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $typed = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        Select-Object -Skip 1 |
        ForEach-Object { $_.ToString().Trim('"', "'") })
    # An empty argument is lost on its way to a program, except as a quoted one.
    $current = if ($wordToComplete) { $wordToComplete } else { '""' }
    if ($PSVersionTable.PSVersion -ge [version]'7.3' -and -not $wordToComplete) { $current = '' }
    $lines = @(analytics __complete -- @typed $current 2>$null)
    # Without results PowerShell completes the name of a file by itself.
    if ($lines[0] -eq ':files') { return }
    foreach ($line in $lines) {
        $value, $summary = $line -split "\`t", 2
        if (-not $summary) { $summary = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $summary)
    }
}
`

export const shells = { bash, zsh, fish, powershell }
