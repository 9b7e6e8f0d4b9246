import { execFileSync } from 'node:child_process'

/** Tests that start the real program start what is in `src` now, not what was built last week. */
export default function build(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] })
}
