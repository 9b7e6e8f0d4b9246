import { readFileSync, readlinkSync } from 'node:fs'

/** The boot and the PID namespace; '' without `/proc`. */
export function bootOf(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return ''
  }
}

/** Fields of `/proc/PID/stat` after the process name, which may contain any character; empty without such a file. */
export function processFields(pid: number | 'self'): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
