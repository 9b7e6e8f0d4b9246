import { dirname, join } from 'node:path'
import type { InputHost } from '../files/read-input.ts'
import { type Member, type Node, nameOfKey, readYaml } from '../json/yaml.ts'
import { nearest } from '../text/nearest.ts'
import { byLine, type Mistake, mistakeAt, refuseMistakes } from './mistakes.ts'
import { displayName, readSettingsText } from './read.ts'

interface ManifestProject {
  readonly id: string
  /** Defaults first; relative to the current folder. */
  readonly files: readonly string[]
}

/** Throws `UsageError`; several mistakes are written first with `say`, one per line. */
export async function readManifest(
  host: InputHost,
  file: string,
  say: (line: string) => void,
): Promise<readonly ManifestProject[]> {
  const name = displayName(file)
  const { root, mistakes } = readYaml(await readSettingsText(host, file), name)
  const reader = new ManifestReader(name, file === '-' ? '.' : dirname(file))
  const projects = reader.read(root)
  refuseMistakes(byLine([...mistakes.map(mistake => mistakeAt(name, mistake)), ...reader.mistakes]), say)
  return projects
}

interface Position {
  readonly line: number
  readonly shape?: Node['shape'] | undefined
}

class ManifestReader {
  readonly mistakes: Mistake[] = []
  readonly #name: string
  readonly #folder: string

  constructor(name: string, folder: string) {
    this.#name = name
    this.#folder = folder
  }

  read(root: Node | undefined): ManifestProject[] {
    const members = root?.shape === 'map' ? root.members : []
    this.#checkNames(members, ['defaults', 'projects', '$schema'])
    const list = members.find(({ name }) => name === 'projects')?.value
    if (list?.shape !== 'list' || list.items.length === 0) {
      this.#mistake(
        list ?? { line: 1, shape: root?.shape },
        'there is no list of projects',
        'Write projects: [{id: 1, files: [shop.yaml]}]',
      )
      return []
    }
    const defaults = this.#files(members.find(({ name }) => name === 'defaults'))
    const projects = list.items.flatMap(item => this.#project(item, defaults))
    for (const [i, { id, line }] of projects.entries()) {
      const earlier = projects.findIndex(other => other.id === id)
      if (earlier < i) this.#mistake({ line }, `project ${id} is listed twice`, 'Keep one of them')
    }
    return projects
  }

  #project(node: Node, defaults: readonly string[]): (ManifestProject & { line: number })[] {
    const members = node.shape === 'map' ? node.members : []
    this.#checkNames(members, ['id', 'files'])
    const id = members.find(({ name }) => name === 'id')?.value
    if (!id || !('text' in id) || !/^[1-9]\d*$/.test(id.text)) {
      this.#mistake(id ?? node, 'a project needs an id, which is an integer', 'Write {id: 1, files: [a.yaml]}')
      return []
    }
    const listed = members.find(({ name }) => name === 'files')
    const files = [...defaults, ...this.#files(listed)]
    if (files.length === 0)
      this.#mistake(
        { line: node.line, shape: listed?.value.shape },
        `project ${id.text} has no files`,
        'Give it files, or give defaults',
      )
    return [{ id: id.text, files, line: node.line }]
  }

  #files(member: Member | undefined): string[] {
    if (!member) return []
    const { value } = member
    const items = value.shape === 'list' ? value.items.filter(({ shape }) => shape !== 'invalid') : []
    const files = items.flatMap(item => (item.shape === 'string' && !['', '-'].includes(item.text) ? [item.text] : []))
    if (value.shape !== 'list' || files.length < items.length) {
      this.#mistake(value, `${member.name} must be a list of file names`, `Write ${member.name}: [a.yaml]`)
    }
    return files.map(file => (/^([a-z]:)?[\\/]/i.test(file) ? file : join(this.#folder, file)))
  }

  #checkNames(members: readonly Member[], known: readonly string[]): void {
    for (const { name, line } of members) {
      if (known.includes(name)) continue
      const near = nearest(name, known)
      const hint = near ? `Did you mean ${near}?` : `Take it out: a manifest has ${known.join(', ')} there`
      this.#mistake({ line }, `a manifest has no ${nameOfKey(name) ? JSON.stringify(name) : 'such key'} there`, hint)
    }
  }

  /** The document's `mistakes` include those of invalid nodes. */
  #mistake({ line, shape }: Position, problem: string, hint: string): void {
    if (shape !== 'invalid') this.mistakes.push(mistakeAt(this.#name, { line, problem, hint }))
  }
}
