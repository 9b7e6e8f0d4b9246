import type { Reporter, TestModule } from 'vitest/node'

/** Ends the run with one line of counts. */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap(module => [...module.children.allTests()])
    const count = (state: string) => tests.filter(test => test.result().state === state).length
    const broken = modules.filter(module => module.children.size === 0 && module.errors().length > 0).length
    const failed = count('failed') + broken + errors.length
    process.stdout.write(`\n${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped\n`)
  }
}
