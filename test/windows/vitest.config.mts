import { mergeConfig } from 'vitest/config'
import config from '../../vitest.config.mts'

/** `npm run test:windows`: the built program on Windows. Elsewhere it needs Wine, so `npm test` leaves it out. */
export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  { test: { include: ['test/windows/*.windows.ts'], globalSetup: ['test/windows/wine.ts'], maxWorkers: 2 } },
)
