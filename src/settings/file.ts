import { type InputHost, readInputText } from '../files/read-input.ts'

/** Settings of a project take a few KB, so a larger file is a mistake. */
const most = 1024 * 1024

/** Throws `UsageError` for a file that is unreadable, larger than 1 MB, or not UTF-8. */
export function readSettingsText(host: InputHost, file: string): Promise<string> {
  return readInputText(host, { file, where: displayName(file), most })
}

export function displayName(file: string): string {
  return file === '-' ? 'stdin' : file
}

export function displayNames(files: readonly string[]): string {
  return files.map(displayName).join(' and ')
}
