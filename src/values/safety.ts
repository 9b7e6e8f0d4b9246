export const safetyLevels = ['read-only', 'no-delete'] as const

export type SafetyLevel = (typeof safetyLevels)[number]
