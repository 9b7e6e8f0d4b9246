import { type Setting, type SettingName, settingGroups, settingRows, settings } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'

export function refuseUnreached({ config: { typed } }: Context, names: readonly SettingName[]): void {
  const name = names.find(one => typed[one] !== undefined)
  const row: Setting | undefined = name && settings[name]
  if (row === undefined) return
  throw new UsageError(`${row.option} does not reach the programs that use the sandbox`, {
    hint: 'Give it to the commands of these programs',
  })
}

const { output, requests, safety } = settingGroups

export const runSettings = settingRows
  .map(([name]) => name)
  .filter(name => name !== 'noColor' && Object.hasOwn({ ...output, ...requests, ...safety }, name))
