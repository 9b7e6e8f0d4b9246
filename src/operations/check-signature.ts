/** Checks who signed a file, with ssh-keygen. Loaded only for --signers. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { RefusedError, UsageError } from '../errors.ts'
import { checkRegular } from '../files/regular-file.ts'
import { reasonOf } from '../files/system-error.ts'
import type { Host } from '../host.ts'

interface Signed {
  /** The file that `path` held when it was read: it may be another one by now. */
  readonly bytes: Uint8Array
  readonly path: string
  /** A file in the form that ssh-keygen calls ALLOWED SIGNERS. */
  readonly signers: string
}

type Caller = Pick<Host, 'env' | 'interrupted'>

/** Resolves with the signer's name. Rejects with `RefusedError` unless `path.sig` is by somebody listed, and `UsageError` without ssh-keygen. */
export async function checkSignature(host: Caller, { bytes, path, signers }: Signed): Promise<string> {
  const signature = `${path}.sig`
  refuseIrregular('--signers:', signers)
  if (!existsSync(signature)) {
    throw new RefusedError(`The plan is not signed: ${signature} is not there`, {
      hint: `Sign it with ssh-keygen -Y sign -n analytics -f KEY ${path}`,
    })
  }
  refuseIrregular('The signature', signature)
  const found = await keygen(host, ['-Y', 'find-principals', '-s', signature, '-f', signers])
  const names = found === undefined ? [] : [...found.split('\n'), ...listedIn(readFileSync(signers, 'utf8'))]
  for (const name of new Set(names.filter(Boolean))) {
    const verify = ['-Y', 'verify', '-n', 'analytics', '-f', signers, '-I', name, '-s', signature]
    if ((await keygen(host, verify, bytes)) !== undefined) return name
  }
  throw new RefusedError(`${signature} is no signature of this plan by anybody listed in ${signers}`, {
    hint: 'Nothing was changed. Have the plan reviewed and signed again',
  })
}

/** All principals of a list: ssh-keygen finds only those of the first line with the key, which may be for another purpose. */
function listedIn(signers: string): string[] {
  return signers.split('\n').flatMap(line => {
    const [, quoted, plain = ''] = /^\s*(?:"([^"]*)"|([^\s#]\S*))/.exec(line) ?? []
    return (quoted ?? plain).split(',')
  })
}

/** ssh-keygen reads a list several times, and would wait for a pipe. */
function refuseIrregular(what: string, path: string): void {
  try {
    checkRegular(statSync(path))
  } catch (cause) {
    throw new UsageError(`${what} ${path} cannot be read${reasonOf(cause)}`, { hint: 'Check its name', cause })
  }
}

/** What it prints; undefined where it fails. */
function keygen({ env, interrupted }: Caller, args: string[], input: Uint8Array = Buffer.alloc(0)) {
  return new Promise<string | undefined>((resolve, reject) => {
    const child = execFile('ssh-keygen', args, { env: { ...env }, signal: interrupted }, (error, stdout) => {
      if (interrupted.aborted) reject(interrupted.reason)
      else if (error?.code === 'ENOENT') {
        reject(
          new UsageError('--signers needs ssh-keygen, which is not there', { hint: 'Install OpenSSH', cause: error }),
        )
      } else resolve(error ? undefined : stdout)
    })
    // It may be gone before it has read all.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
