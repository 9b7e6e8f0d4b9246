/** What only POSIX has: modes, signals, links, pipes with names, a shell. Tests of it are skipped on Windows. */
import { platform } from 'node:os'
import { beforeEach, test } from 'vitest'

const isWindows = platform() === 'win32'

/** For a single test. */
export const posixTest = test.skipIf(isWindows)

/** At the top of a file: all its tests need it. */
export function needsPosix(what: string): void {
  beforeEach(({ skip }) => skip(isWindows, `needs ${what}`))
}
