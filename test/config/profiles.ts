import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach } from 'vitest'
import { newWorld, type Options, type Ran, type World } from '../world.ts'

export interface Profiles {
  readonly world: World
  readonly file: string
  kept(): { readonly current?: string; readonly profiles: Readonly<Record<string, Record<string, unknown>>> }
  /** Runs `analytics profiles` with the words of the line. */
  run(line: string, options?: Options): Promise<Ran>
  /** Adds a profile with the key `key-of-NAME` and these options. */
  add(name: string, more?: string): Promise<Ran>
}

/** A new world without profiles for each test. */
export function freshProfiles(): Profiles {
  let world: World
  beforeEach(() => {
    world = newWorld()
  })
  const run = (line: string, options: Options = {}) => world.run(['profiles', ...line.split(' ')], options)
  return {
    get world() {
      return world
    },
    get file() {
      return join(world.folder, 'config', 'config.json')
    },
    kept() {
      return JSON.parse(readFileSync(this.file, 'utf8'))
    },
    run,
    add: (name, more = '') =>
      run(`add ${name} --base-url https://${name}.example.com --api-key-stdin${more}`, { stdin: `key-of-${name}\n` }),
  }
}
