import { expect, test } from 'vitest'
import { UnavailableError, UnexpectedError, UnsentError } from '../../../src/errors.ts'
import type { Progress } from '../../../src/http/transport/explain-code.ts'
import { timedOut, transportError } from '../../../src/http/transport/transport-errors.ts'
import { get } from '../loopback.ts'

const request = get(new URL('https://analytics.example.com'), '/api/projects/?search=ada%40example.com')
const before: Progress = { request, proxy: undefined, sent: false, answered: false, timeout: 30_000 }
const proxied: Progress = { ...before, proxy: new URL('http://ada:secret@proxy.example.com:3128') }

function coded(code: string, cause?: unknown): Error {
  return Object.assign(new Error('text that nobody reads', { cause }), { code })
}

test.each([
  ['ECONNREFUSED', 'analytics.example.com refused the connection'],
  ['ENOTFOUND', 'analytics.example.com is not a known host'],
  ['EAI_AGAIN', 'analytics.example.com could not be looked up just now'],
  ['EHOSTUNREACH', 'analytics.example.com cannot be reached from here'],
  ['ENETDOWN', 'analytics.example.com cannot be reached from here'],
  ['EACCES', 'This machine does not allow a connection to analytics.example.com (EACCES)'],
  ['EPERM', 'This machine does not allow a connection to analytics.example.com (EPERM)'],
  ['EMFILE', 'No connection to analytics.example.com could be opened: too many files are open (EMFILE)'],
  ['EBUSY', 'The connection to analytics.example.com failed (EBUSY)'],
  ['UNKNOWN', 'The connection to analytics.example.com failed (UNKNOWN)'],
  ['ECONNRESET', 'analytics.example.com closed the connection'],
  ['UND_ERR_CONNECT_TIMEOUT', 'analytics.example.com timed out after 30 s'],
])('%s before the request was sent: it may be sent again', (code, message) => {
  const failure = transportError(coded(code), before)
  expect(failure).toBeInstanceOf(UnsentError)
  expect(failure).toMatchObject({
    message,
    facts: { code, retryable: true, url: 'https://analytics.example.com/api/projects/' },
  })
})

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'not trusted'],
  ['CERT_HAS_EXPIRED', 'has expired'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'not trusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another name'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'does not speak TLS'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'it may want a client certificate'],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'it may want a client certificate'],
  ['EPROTO', 'does not speak TLS'],
])('%s: no attempt can mend it', (code, words) => {
  const failure = transportError(coded(code), before)
  expect(failure).toMatchObject({ message: expect.stringContaining(words), facts: { code, retryable: false } })
})

test('after the request was sent nobody knows whether it was done', () => {
  const failure = transportError(coded('ECONNRESET'), { ...before, sent: true })
  expect(failure).toBeInstanceOf(UnavailableError)
  expect(failure).not.toBeInstanceOf(UnsentError)
  expect(timedOut({ ...before, sent: true })).not.toBeInstanceOf(UnsentError)
  const retryable = (['read', 'set', 'act'] as const).map(effect =>
    [false, true].map(sent =>
      transportError(coded('ECONNRESET'), { ...before, request: { ...request, effect }, sent }),
    ),
  )
  expect(retryable.map(pair => pair.map(({ facts }) => facts.retryable))).toEqual([
    [true, true],
    [true, true],
    [true, false],
  ])
})

test('only what would create or split a second time is to be looked at first', () => {
  const hintOf = (effect: 'set' | 'act', code: string) =>
    transportError(coded(code), { ...before, request: { ...request, effect }, sent: true }).facts.hint
  expect(hintOf('act', 'ECONNRESET')).toBe('It is not known whether the change was made: check before you repeat it')
  expect(hintOf('set', 'ECONNRESET')).toBe('The change may have been made; it is safe to run the same command again')
  expect(hintOf('set', 'HPE_HEADER_OVERFLOW')).toBe('Check the base URL; the change may have been made')
})

test('what may have been deleted is to be looked for first: a repeat finds nothing, and cannot tell of events', () => {
  const hintOf = (query: string) => {
    const url = new URL(`https://analytics.example.com/api/projects/1/persons/9/${query}`)
    const deletion = { ...request, method: 'DELETE', url, effect: 'set' } as const
    return transportError(coded('ECONNRESET'), { ...before, request: deletion, sent: true }).facts.hint
  }
  const look = 'It may have been deleted: look for it before you repeat the command'
  expect(hintOf('')).toBe(look)
  expect(hintOf('?delete_events=true')).toBe(`${look}, which cannot tell whether the events were queued`)
})

test('the code is found in what caused the error, and in the first of several addresses', () => {
  expect(transportError(coded('UND_ERR_PRX_TLS', coded('ERR_TLS_CERT_ALTNAME_INVALID')), before).facts.code).toBe(
    'ERR_TLS_CERT_ALTNAME_INVALID',
  )
  expect(transportError(new AggregateError([coded('ECONNREFUSED'), coded('EHOSTUNREACH')]), before).facts.code).toBe(
    'ECONNREFUSED',
  )
})

test('behind a proxy it is the proxy that cannot be reached, and its password is not shown', () => {
  const refused = transportError(coded('ECONNREFUSED'), proxied)
  expect(refused.message).toBe('The proxy proxy.example.com:3128 refused the connection')
  const closed = transportError(coded('PROXY_407'), proxied)
  expect(closed).toBeInstanceOf(UnsentError)
  expect(closed).toMatchObject({
    message: 'The proxy proxy.example.com:3128 did not open a connection to analytics.example.com (407)',
    facts: { retryable: false, hint: 'Check the proxy variables: it wants a user name and password' },
  })
  expect(transportError(coded('PROXY_503'), proxied).facts.retryable).toBe(true)
})

test('after the request was sent, an error that is not known is an answer that could not be read', () => {
  const failure = transportError(coded('ERR_ASSERTION'), {
    ...before,
    request: { ...request, effect: 'set' },
    sent: true,
  })
  expect(failure).toMatchObject({
    exit: 7,
    message: 'analytics.example.com does not speak HTTP',
    facts: { retryable: false, hint: expect.stringContaining('may have been made') },
  })
})

test('an error without a code that is known is a bug of ours where nothing was sent', () => {
  const cause = coded('UND_ERR_INVALID_ARG')
  const failure = transportError(cause, before)
  expect(failure).toBeInstanceOf(UnexpectedError)
  expect(failure.facts.cause).toBe(cause)
  const circle = coded('ODD')
  circle.cause = circle
  expect(transportError(circle, before)).toBeInstanceOf(UnexpectedError)
})
