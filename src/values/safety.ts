/** What a safety level forbids (`product.md`, section 5): all writes, those that delete, those that nobody confirmed. */
export const safetyLevels = ['read-only', 'no-delete', 'confirm'] as const

export type SafetyLevel = (typeof safetyLevels)[number]

/** What a profile can demand of every command that deletes objects. */
export const requirements = ['reason', 'receipt', 'plan'] as const

export type Requirement = (typeof requirements)[number]
