import { UsageError } from '../errors.ts'

/** Throws `UsageError` where Node was told to take any certificate: the key would go to whoever answers. */
export function refuseUncheckedTls(
  url: URL,
  { NODE_TLS_REJECT_UNAUTHORIZED: checks }: Readonly<Record<string, string | undefined>>,
): void {
  if (url.protocol !== 'https:' || checks !== '0') return
  throw new UsageError('NODE_TLS_REJECT_UNAUTHORIZED=0 would let the key go to whoever answers', {
    hint: 'Unset it; name a certificate authority of your own with ANALYTICS_CA_FILE or --ca-file of the profile',
  })
}
