import { fstatSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, platform } from 'node:os'
import { join } from 'node:path'
import { randomSuffix } from '../files/regular-file.ts'
import type { Host } from '../host.ts'

interface Holder {
  readonly boot: string
  readonly host: string
  readonly pid: number
}

/** What this process writes into its lock. */
export function holderText(pid: number): string {
  const holder: Holder = { boot: bootOf(), host: hostname(), pid }
  return JSON.stringify(holder)
}

/** `isGone` is false for a process of another machine: only the age of its lock shows that it has ended. */
export function readHolder(file: number, { isRunning }: Host['processes']) {
  const holder = holderIn(readFileSync(file, 'utf8'))
  if (!holder) return { name: 'another process', isGone: false }
  const { boot, host, pid } = holder
  // Machines that were started from the same memory image have the same boot id.
  const isHere = boot === bootOf() && host === hostname()
  return { name: `process ${pid} on ${host}`, isGone: isHere && !isRunning(pid, fstatSync(file).mtimeMs) }
}

/** Undefined for a file that is being written, or that a power loss damaged. */
function holderIn(text: string): Holder | undefined {
  try {
    const holder: Holder | null = JSON.parse(text)
    return holder ?? undefined
  } catch {
    return undefined
  }
}

/** The boot and PID namespace in which a process id is valid. Without `/proc`, Linux does not show them. */
function bootOf(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return platform() === 'linux' ? randomSuffix() : platform()
  }
}

/** Milliseconds since the file was touched, by the clock of its folder, which several machines may share. */
export function ageOf(file: number, folder: string): number {
  const probe = join(folder, `.clock-${randomSuffix()}`)
  const { mtimeMs } = fstatSync(file)
  try {
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 })
    // The clock may have been set back.
    const age = Math.abs(statSync(probe).mtimeMs - mtimeMs)
    // The holder may have touched the file while this process was stopped.
    return fstatSync(file).mtimeMs === mtimeMs ? age : 0
  } catch {
    // No process works in a folder that cannot be written.
    return Math.abs(Date.now() - mtimeMs)
  } finally {
    rmSync(probe, { force: true })
  }
}
