/** The sandbox over HTTP in a process of its own, and persons for it. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `argv` is what a Node gets that runs `sandbox serve`; resolves once it listens. */
export async function serve(argv, env) {
  const child = spawn(process.execPath, [...argv, '--port', '0', '-o', 'json', '-q'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(child.stdout, 'data')
  return {
    ...JSON.parse(line),
    async close() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** A file of persons, as `persons list --all -o ndjson` writes it; `more` are further properties of each. */
export function exported(home, count, more = () => ({})) {
  const file = join(home, `persons-${count}.ndjson`)
  const person = id => ({
    id,
    uuid: uuidOf(id),
    name: `Person ${id}`,
    distinct_ids: [distinctIdOf(id)],
    properties: { email: emailOf(id), plan: id % 3 === 0 ? 'pro' : 'free', ...more(id) },
    created_at: '2026-01-01T00:00:00Z',
  })
  writeFileSync(file, Array.from({ length: count }, (_, i) => `${JSON.stringify(person(i + 1))}\n`).join(''))
  return file
}

/** Ordered by time, otherwise as hard to compress as a random one. */
export function uuidOf(id) {
  const digits = createHash('sha256').update(String(id)).digest('hex')
  return digits.replace(/^(.{3})(.{3})(.{12}).*/, '019b76da-a800-7$1-8$2-$3')
}

export function distinctIdOf(id) {
  return `person-${id}`
}

export function emailOf(id) {
  return `person-${id}@example.com`
}
