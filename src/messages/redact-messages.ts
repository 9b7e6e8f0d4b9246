import type { Host, StatusRank } from '../host.ts'
import type { Secrets } from '../secrets/secrets.ts'

export function hideSecrets(host: Host, secrets: Secrets): Host {
  const { stderr, stdin } = host
  const show = stderr.statusLine
  return {
    ...host,
    stdin: { ...stdin, ask: (question, hidden) => stdin.ask(secrets.hide(question), hidden) },
    stderr: {
      isTerminal: stderr.isTerminal,
      get columns() {
        return stderr.columns
      },
      write: chunk => stderr.write(typeof chunk === 'string' ? secrets.hide(chunk) : chunk),
      ...(show ? { statusLine: (line: string, rank?: StatusRank) => show(secrets.hide(line), rank) } : {}),
    },
  }
}
