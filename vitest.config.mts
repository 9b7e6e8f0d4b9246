import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { CountReporter } from './test/reporter.mts'

/** Tests that start programs take longest; begun last, one of them would be all that runs at the end. */
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
    // Only a test that hangs may reach these: on a busy machine everything takes several times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 120_000 } },
    // Tests of processes wait for them, so a few more workers than cores keep the cores at work.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: ProgramsFirst },
    // No module of ours keeps state (docs/contributing.md), so files share a worker and what it has loaded: a third less work.
    isolate: false,
    // A test's world is what it makes itself: nothing of the machine's own settings leaks in.
    env: { NODE_EXTRA_CA_CERTS: '', NO_COLOR: '', FORCE_COLOR: '', CI: '' },
  },
})
