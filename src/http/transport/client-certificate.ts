/** The certificate with which this machine says who it is, for servers that demand one. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { UsageError } from '../../errors.ts'
import { certificatesIn } from './authorities.ts'

/** PEM texts. */
export interface ClientCertificate {
  readonly cert: string
  readonly key: string
}

/** A named file and what it holds. */
interface Named {
  readonly path: string
  readonly text: string
}

/** Throws `UsageError` if a file does not hold what it should, or the two do not belong together. */
export function clientCertificate(cert: Named, key: Named): ClientCertificate {
  const chain = certificatesIn(cert.text)
  const [own] = chain.map(pem => certificateOf(pem, cert.path))
  if (!own) throw new UsageError(`The client certificate ${cert.path} holds no certificate in PEM form`, { hint })
  if (!own.checkPrivateKey(privateKeyOf(key))) {
    throw new UsageError(`The client key ${key.path} does not belong to the certificate ${cert.path}`, {
      hint: 'The certificate of this machine comes first in its file, before those that issued it',
    })
  }
  return { cert: chain.join('\n'), key: key.text }
}

const hint = 'Give PEM files'

function certificateOf(pem: string, path: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new UsageError(`The client certificate ${path} is damaged`, { hint, cause })
  }
}

function privateKeyOf({ path, text }: Named): KeyObject {
  try {
    return createPrivateKey(text)
  } catch (cause) {
    // Node's error for a missing passphrase differs between versions.
    if (/^-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m.test(text)) {
      throw new UsageError(`The client key ${path} wants a passphrase, and nobody is asked for one`, {
        hint: 'Store it without one in a file that only you can read: openssl pkey -in OLD -out NEW',
        cause,
      })
    }
    throw new UsageError(`The client key ${path} holds no private key in PEM form`, { hint, cause })
  }
}
