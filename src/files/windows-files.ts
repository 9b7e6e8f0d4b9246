/** What Windows does in its own way with names and with open files; elsewhere these functions add nothing. */
import { closeSync, openSync } from 'node:fs'
import { sep, win32 } from 'node:path'
import { UsageError } from '../errors.ts'
import { codeOf } from './system-error.ts'

export const isWindows = sep === '\\'

/** In ms. */
const longestWait = 1000

/** Throws where a later rename over the file would fail, because it is read-only or another program has it open. */
export function checkReplaceable(path: string): void {
  if (isWindows) closeSync(openSync(path, 'r+'))
}

/** Windows keeps some names for devices, with any ending; Node would make a file that few programs can remove. */
export function refuseDevice(path: string, applies = isWindows): void {
  const [stem = ''] = win32.basename(path).split('.')
  if (!applies || !/^(con|prn|aux|nul|com\d|lpt\d)\s*$/i.test(stem)) return
  throw new UsageError(`${path} is the name of a device of Windows`, { hint: 'Give another name' })
}

/** On Windows a virus scanner or a reader may have a file open for a moment; meanwhile it cannot be renamed or removed. */
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
