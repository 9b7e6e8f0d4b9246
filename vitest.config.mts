import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { CountReporter } from './test/reporter.mts'

/** Runs tests that start programs first: at the end, one of them would run alone. */
class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const startsPrograms = ({ moduleId }: TestSpecification) => /\/test\/(trust|process|docs|install)\//.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(startsPrograms), ...sorted.filter(file => !startsPrograms(file))]
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/temporary-folder.ts', 'test/build.ts'],
    reporters: ['default', new CountReporter()],
    // Only a test that hangs reaches these, also on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 120_000 } },
    // Tests of processes wait, so more workers than cores keep the cores busy.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: ProgramsFirst },
    // Our modules keep no state, so files share a worker and its modules, which saves a third of the work.
    isolate: false,
    // The settings of the machine do not reach the tests.
    env: { NODE_EXTRA_CA_CERTS: '', NO_COLOR: '', FORCE_COLOR: '', CI: '' },
  },
})
