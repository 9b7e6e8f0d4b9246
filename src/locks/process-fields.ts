import { readFileSync } from 'node:fs'

/** Fields of `/proc/PID/stat` after the process name, which may contain any character; empty without such a file. */
export function processFields(pid: number | 'self'): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
