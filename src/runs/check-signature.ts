/** Checks the signature of a file with ssh-keygen. Loaded only for --signers. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { RefusedError, UsageError } from '../errors.ts'
import { checkRegular } from '../files/regular-file.ts'
import { cannotRead } from '../files/system-error.ts'
import type { Host } from '../host.ts'

interface Signed {
  /** Content of `path` when it was read; the file may have changed since. */
  readonly bytes: Uint8Array
  readonly path: string
  readonly signers: string
}

type Caller = Pick<Host, 'env' | 'interrupted'>

/** Returns the signer. Throws `RefusedError` unless a listed person signed, `UsageError` without ssh-keygen. */
export async function checkSignature(host: Caller, { bytes, path, signers }: Signed): Promise<string> {
  const signature = `${path}.sig`
  refuseIrregular('--signers:', signers)
  if (!existsSync(signature)) {
    throw new RefusedError(`The plan is not signed: ${signature} is not there`, {
      hint: `Sign it with: ssh-keygen -Y sign -n analytics -f KEY ${path}`,
    })
  }
  refuseIrregular('The signature', signature)
  const found = await keygen(host, ['-Y', 'find-principals', '-s', signature, '-f', signers])
  const listed = found === undefined ? [] : [...found.split('\n'), ...listedWith(keyIn(signature), signers)]
  // A name with ! is excluded, but could match another pattern of its line.
  const names = listed.filter(name => name !== '' && !name.startsWith('!'))
  for (const name of new Set([...names.filter(name => !isPattern(name)), ...names])) {
    const verify = ['-Y', 'verify', '-n', 'analytics', '-f', signers, '-I', name, '-s', signature]
    if ((await keygen(host, verify, bytes)) !== undefined) return isPattern(name) ? `somebody listed as ${name}` : name
  }
  throw new RefusedError(`${signature} is no signature of this plan by anybody listed in ${signers}`, {
    hint: 'Nothing was changed. Have the plan reviewed and signed again',
  })
}

function isPattern(name: string): boolean {
  return /[*?]/.test(name)
}

/** After `SSHSIG` and a version: the length of the key or certificate, and its bytes. */
function keyIn(signature: string): Buffer {
  const bytes = Buffer.from(readFileSync(signature, 'utf8').replace(/-----.*-----/g, ''), 'base64')
  return bytes.subarray(14, 14 + bytes.readUInt32BE(10))
}

/** Principals of all lines with the key or its authority: ssh-keygen finds only those of the first line. */
function listedWith(key: Buffer, signers: string): string[] {
  const isCertificate = key.subarray(0, 64).includes('-cert-v01@openssh.com')
  const text = key.toString('base64')
  const lines = readFileSync(signers, 'utf8').split('\n')
  const own = lines.filter(line => {
    const [before = '', ...after] = line.split(text)
    const isAuthority = /cert-authority/i.test(before)
    return isCertificate ? isAuthority : !isAuthority && after.length > 0
  })
  return own.flatMap(line => {
    const [, quoted, plain = ''] = /^\s*(?:"([^"]*)"|([^\s#]\S*))/.exec(line) ?? []
    return (quoted ?? plain).split(',')
  })
}

/** ssh-keygen reads the list several times, and would wait for a pipe. */
function refuseIrregular(what: string, path: string): void {
  try {
    checkRegular(statSync(path))
  } catch (cause) {
    throw cannotRead(`${what} ${path}`, cause, 'Check its name')
  }
}

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
    // ssh-keygen may exit before it has read all input.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
