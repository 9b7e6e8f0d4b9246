/** Safety levels (`docs/environment.md`): no writes, no deletions, or no write without confirmation. */
export const safetyLevels = ['read-only', 'no-delete', 'confirm'] as const

export type SafetyLevel = (typeof safetyLevels)[number]

export const requirements = ['reason', 'receipt', 'plan', 'backup'] as const

export type Requirement = (typeof requirements)[number]
