import { mergeConfig } from 'vitest/config'
import config from '../../vitest.config.mts'

/** `npm run test:release`: what a release holds. It makes one, which takes minutes, so `npm test` leaves it out. */
export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  { test: { include: ['test/release/*.release.ts'] } },
)
