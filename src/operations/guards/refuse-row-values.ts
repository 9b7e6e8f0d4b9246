import { UsageError } from '../../errors.ts'

export function refuseRowValues(rows: string | undefined, isGiven: boolean): void {
  if (rows === undefined || !isGiven) return
  throw new UsageError('--rows has the values of each target, and cannot be combined with others', {
    hint: 'Leave --rows or the fields out',
  })
}
