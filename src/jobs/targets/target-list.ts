/** The ids of a job, in order; its file has one a line. */
export type Targets = readonly string[]

export function encodeTargets(ids: Targets): Buffer {
  return Buffer.from([...ids, ''].join('\n'))
}

export function decodeTargets(bytes: Buffer): string[] {
  return bytes.toString().split('\n').slice(0, -1)
}
