import { UsageError } from '../errors.ts'

/** If Node accepts any certificate, a man in the middle gets the key. */
export function refuseUncheckedTls(
  url: URL,
  { NODE_TLS_REJECT_UNAUTHORIZED: checks }: Readonly<Record<string, string | undefined>>,
): void {
  if (url.protocol !== 'https:' || checks !== '0') return
  throw new UsageError('NODE_TLS_REJECT_UNAUTHORIZED=0 switches certificate checks off, so the key could be stolen', {
    hint: 'Unset it; name a certificate authority of your own with ANALYTICS_CA_FILE or --ca-file of the profile',
  })
}
