/** Reads files that the user named; `-` is stdin. Throws `UsageError` with `where`. */
import { UsageError } from '../errors.ts'
import { absolutePath, type Host } from '../host.ts'
import { chunksOf, collectAtMost } from './read.ts'
import { cannotRead, isOfSystem } from './system-error.ts'

export type InputHost = Pick<Host, 'cwd' | 'stdin' | 'interrupted'>

interface InputFile {
  readonly file: string
  /** Its name in messages. */
  readonly where: string
}

export async function* inputChunks(host: InputHost, { file, where }: InputFile): AsyncGenerator<Uint8Array> {
  try {
    yield* file === '-' ? host.stdin.read() : chunksOf(absolutePath(host, file), host.interrupted)
  } catch (cause) {
    if (!isOfSystem(cause)) throw cause
    throw cannotRead(where, cause, 'Check the name, and that you can read it')
  }
}

/** `most` bytes, since a device or a pipe may be endless. */
type Limited = InputFile & { readonly most: number }

export async function readInput(host: InputHost, { most, ...input }: Limited): Promise<Buffer> {
  const bytes = await collectAtMost(inputChunks(host, input), most)
  if (bytes) return bytes
  throw new UsageError(`${input.where} is larger than ${Math.floor(most / 2 ** 20)} MB`)
}

export async function readInputText(host: InputHost, input: Limited): Promise<string> {
  return decodeUtf8(await readInput(host, input), input.where)
}

export function decodeUtf8(bytes: Uint8Array, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new UsageError(`${where} is not UTF-8 text`, { hint: 'Save it as UTF-8', cause: error })
  }
}
