/** The sandbox of a person who writes plans and runs them, anew for each test. */
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { World } from '../../world.ts'

type Options = Parameters<World['run']>[1]

/** To be called once in a file of tests. */
export function planningWorld() {
  let world = new World()
  afterEach(() => {
    world.remove()
    world = new World()
  })
  const run = (line: string, { env, ...options }: Options = {}) =>
    world.run(line.split(' '), { ...options, env: { PATH: process.env.PATH ?? '', ANALYTICS_SANDBOX: '1', ...env } })
  return {
    run,
    file: (name: string) => join(world.folder, name),
    later: (ms: number) => {
      world.now += ms
    },
    exists: async (id: number) => (await run(`persons get ${id}`)).code === 0,
  }
}
