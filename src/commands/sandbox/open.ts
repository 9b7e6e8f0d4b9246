import type { Context } from '../../cli/command.ts'
import { openSandbox, type Sandbox } from '../../sandbox/open.ts'

export function openOwn({ host, values, stateFolder }: Context): Promise<Sandbox> {
  return openSandbox({
    stateDir: stateFolder(),
    dialect: values.dialect ?? 'documented',
    faults: values.faults,
    seed: values.seed,
    clock: host.clock,
    random: host.random,
  })
}
