import { readFileSync } from 'node:fs'

/** What stands in `/proc/PID/stat` after the name, which may hold any character; empty where the system has no such file. */
export function processFields(pid: number | 'self'): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
