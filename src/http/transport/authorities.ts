import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as tls from 'node:tls'
import { UsageError } from '../../errors.ts'
import { readAtMost } from '../../files/read.ts'
import { reasonOf } from '../../files/system-error.ts'
import type { Env } from '../../host.ts'

const largest = 16 * 1024 * 1024

export async function readAuthorities(path: string, signal: AbortSignal): Promise<string[]> {
  const bytes = await readAtMost(path, largest, signal).catch((cause: unknown) => {
    throw unusable(path, `cannot be read${reasonOf(cause)}`, cause)
  })
  const found = certificatesIn(bytes?.toString('latin1') ?? '')
  if (found.length === 0) throw unusable(path, 'holds no certificate in PEM form')
  for (const pem of found) {
    try {
      new X509Certificate(pem)
    } catch (cause) {
      throw unusable(path, 'holds a certificate that is damaged', cause)
    }
  }
  return found
}

/** Certificates of Node, `NODE_EXTRA_CA_CERTS`, the system (Node 22.15 and later) and `own`. */
export function allAuthorities(own: readonly string[], env: Env): string[] {
  const { getCACertificates } = tls as { getCACertificates?: (store: 'default' | 'system') => string[] }
  const known = getCACertificates
    ? [...getCACertificates('default'), ...getCACertificates('system')]
    : [...tls.rootCertificates, ...extraAuthorities(env)]
  return [...new Set([...known, ...own])]
}

function extraAuthorities({ NODE_EXTRA_CA_CERTS: path }: Env): string[] {
  if (!path) return []
  try {
    return certificatesIn(readFileSync(path, 'latin1'))
  } catch {
    return []
  }
}

export function certificatesIn(text: string): string[] {
  return (
    text.match(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----.*?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/gs) ?? []
  )
}

function unusable(path: string, why: string, cause?: unknown): UsageError {
  return new UsageError(`The file of certificate authorities ${path} ${why}`, {
    hint: 'Give a PEM file with ANALYTICS_CA_FILE, or with --ca-file of the profile',
    cause,
  })
}
