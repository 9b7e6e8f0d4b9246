import type { Context } from '../../cli/command.ts'
import { openSandbox, type Sandbox } from '../../sandbox/open.ts'

/** It never pretends: every command run in it says so. */
export const notice = 'sandbox: made-up data on this machine'

/** The sandbox of this machine, for the commands that tend it rather than call it. */
export function openOwn({ host, values, messages, stateFolder }: Context): Promise<Sandbox> {
  messages.say(notice)
  return openSandbox({
    stateDir: stateFolder(),
    dialect: values.dialect ?? 'documented',
    faults: values.faults,
    seed: values.seed,
    clock: host.clock,
    random: host.random,
  })
}
