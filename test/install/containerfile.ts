import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Containerfile {
  readonly base: string
  /** Without the words before them that all labels of images have. */
  readonly labels: readonly string[]
  readonly user: number
  readonly volume: string
  readonly env: readonly (readonly [name: string, value: string])[]
  readonly entrypoint: readonly string[]
  /** What is copied, as it is named in the project. */
  readonly source: string
  /** Where it is in the image. */
  readonly executable: string
  /** What it runs while it is built. */
  readonly runs: readonly string[]
}

/** What `Containerfile` says. */
export function containerfile(): Containerfile {
  const lines = readFileSync(join(import.meta.dirname, '../../Containerfile'), 'utf8').split('\n')
  const every = (word: string) =>
    lines.filter(line => line.startsWith(`${word} `)).map(line => line.slice(word.length + 1))
  const only = (word: string) => {
    const [first, ...more] = every(word)
    if (first === undefined || more.length > 0) throw new Error(`Containerfile has not one ${word}`)
    return first
  }
  const [source = '', executable = ''] = only('COPY')
    .split(' ')
    .filter(word => !word.startsWith('--'))
  return {
    base: only('FROM'),
    labels: every('LABEL').map(label => /^org\.opencontainers\.image\.(\w+)="/.exec(label)?.[1] ?? label),
    user: Number(only('USER').split(':')[0]),
    volume: only('VOLUME'),
    env: only('ENV')
      .split(' ')
      .map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const),
    entrypoint: JSON.parse(only('ENTRYPOINT')),
    source,
    executable,
    runs: every('RUN'),
  }
}
