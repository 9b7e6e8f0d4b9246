import { readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeOf } from './system-error.ts'

export function linkTarget(path: string, links = 0): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || links > 40) throw error
  }
  const link = linkAt(path)
  return link === undefined ? path : linkTarget(resolve(realpathSync(dirname(path)), link), links + 1)
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
