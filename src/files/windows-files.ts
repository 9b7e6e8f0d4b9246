/** Peculiarities of Windows; on other systems these functions do nothing. */
import { closeSync, openSync } from 'node:fs'
import { sep, win32 } from 'node:path'
import { UsageError } from '../errors.ts'
import { codeOf } from './system-error.ts'

export const isWindows = sep === '\\'

/** Milliseconds. */
const longestWait = 1000

/** Throws if a later rename would fail, because the file is read-only or open in another program. */
export function checkReplaceable(path: string): void {
  if (isWindows) closeSync(openSync(path, 'r+'))
}

/** Windows reserves these names for devices, with any extension; few programs could remove such a file. */
export function refuseDevice(path: string, applies = isWindows): void {
  const [stem = ''] = win32.basename(path).split('.')
  if (!applies || !/^(con|prn|aux|nul|com\d|lpt\d)\s*$/i.test(stem)) return
  throw new UsageError(`${path} is the name of a device of Windows`, { hint: 'Give another name' })
}

/** A virus scanner or a reader may hold a file open for a moment, so that it cannot be renamed or removed. */
export function retryWhileOpen<T>(act: () => T, applies = isWindows): T {
  for (let pause = 8, waited = 0; ; pause *= 2) {
    try {
      return act()
    } catch (error) {
      if (!applies || !isHeld(error) || waited > longestWait) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
    waited += pause
  }
}

function isHeld(error: unknown): boolean {
  return ['EACCES', 'EBUSY', 'EPERM'].includes(codeOf(error) ?? '')
}
