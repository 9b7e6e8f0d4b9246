import { expect, test } from 'vitest'
import type { Values } from '../../src/config/settings.ts'
import {
  DriftError,
  InterruptedError,
  NotFoundError,
  PartialError,
  RateLimitedError,
  UnavailableError,
  UsageError,
} from '../../src/errors.ts'
import { createMessages, type Messages, sentence } from '../../src/messages/messages.ts'

/** Returns what is written to stderr. */
function printed(print: (messages: Messages) => void, values: Values = {}, columns?: number): string {
  const lines: string[] = []
  const write = (chunk: string | Uint8Array) => void lines.push(String(chunk))
  const host = { stderr: { isTerminal: true, columns, write }, env: {} }
  print(createMessages({ noColor: true, ...values }, host, text => text.replace('a b', '…')))
  return lines.join('')
}

test('notices and warnings are a line each, and --quiet drops both', () => {
  const print = ({ notice, warn, problem, print }: Messages) => {
    notice('Showing 100 of 12,431 (use --all)')
    notice('Waiting 30 s for the service')
    warn('All targets were gone already')
    problem('receipt.json cannot be written')
    print('sandbox: made-up data on this machine')
  }
  expect(printed(print)).toBe(
    'Showing 100 of 12,431 (use --all)\nWaiting 30 s for the service\nAll targets were gone already\nreceipt.json cannot be written\nsandbox: made-up data on this machine\n',
  )
  expect(printed(print, { quiet: true })).toBe(
    'receipt.json cannot be written\nsandbox: made-up data on this machine\n',
  )
})

test('an error says what happened and what to do', () => {
  const failure = new UsageError('Which project?', { hint: 'Give --project ID' })
  expect(printed(({ error }) => error(failure), { quiet: true })).toBe('Which project?\nGive --project ID.\n')
})

test('an error without a hint is one line', () => {
  expect(printed(({ error }) => error(new NotFoundError('There is no person 3')))).toBe('There is no person 3.\n')
})

test('warnings and errors are colored', () => {
  expect(printed(({ warn }) => warn('Careful'), { noColor: false })).toBe('\u001b[33mCareful\u001b[39m\n')
  expect(printed(({ error }) => error(new UsageError('No', { hint: 'Yes' })), { noColor: false })).toBe(
    '\u001b[31mNo.\u001b[39m\nYes.\n',
  )
  // A requested difference is not an error.
  expect(printed(({ error }) => error(new DriftError('It differs')), { noColor: false })).toBe('It differs.\n')
})

test('with json an error is one line with all keys, null if unknown', () => {
  const failure = new RateLimitedError('Too many requests', {
    hint: 'Try again later',
    status: 429,
    code: 'throttled',
    method: 'GET',
    url: 'https://analytics.example.com/api/projects/',
    requestId: 'r-1',
    retryable: true,
    retryAfterSeconds: 30,
  })
  expect(printed(({ error }) => error(failure), { output: 'json', noColor: false })).toBe(
    '{"error":{"name":"rate-limited","exit":6,"message":"Too many requests","status":429,"code":"throttled","attr":null,' +
      '"method":"GET","url":"https://analytics.example.com/api/projects/","request_id":"r-1","retryable":true,' +
      '"retry_after_s":30,"hint":"Try again later"}}\n',
  )
  expect(printed(({ error }) => error(new UsageError('No')), { output: 'json' })).toBe(
    '{"error":{"name":"usage","exit":2,"message":"No","status":null,"code":null,"attr":null,"method":null,"url":null,' +
      '"request_id":null,"retryable":false,"retry_after_s":null,"hint":null}}\n',
  )
})

test.each([
  [new UsageError('No'), false],
  [new UnavailableError('Gone'), true],
  [new UnavailableError('Not trusted', { retryable: false }), false],
  [new PartialError('Some'), true],
  [new InterruptedError('SIGINT'), true],
  [new DriftError('Differs'), null],
])('the table of exit codes decides whether $name is retryable, unless the failure does', (failure, again) => {
  const line = printed(({ error }) => error(failure), { output: 'json' })
  expect(JSON.parse(line).error.retryable).toBe(again)
})

test('text from the service has no control characters or line breaks at a terminal', () => {
  const failure = new NotFoundError('No \u001b]0;title\u0007\nperson', { hint: 'Look\u202e', code: '\u009b' })
  expect(printed(({ error }) => error(failure))).toBe('No \\u001b]0;title\\u0007\\nperson.\nLook\\u202e.\n')
  const { error } = JSON.parse(printed(({ error }) => error(failure), { output: 'json' })) as {
    error: Record<string, unknown>
  }
  expect(error).toMatchObject({
    message: 'No \\u001b]0;title\\u0007\\nperson',
    hint: 'Look\\u202e',
    code: '\\u009b',
  })
  expect(printed(({ notice }) => notice('a\rb'))).toBe('a\\rb\n')
})

test.each([
  ['See analytics jobs list', ''],
  ['See analytics --help', ''],
  ['See analytics persons list --fields=uuid', ''],
  ['To apply the changes: analytics projects apply 1 -f settings.yaml', ''],
  ['Run: chmod 600 key.txt', ''],
  ['analytics persons has no command "lsit"', '.'],
  ['There is no command for this in analytics', '.'],
  ['Which project?', ''],
])('a full stop follows a sentence, but not a command: %s', (text, stop) => {
  expect(sentence(text)).toBe(text + stop)
})

test('escapes lines that a CI runner would run as commands', () => {
  expect(printed(({ notice }) => notice('::add-mask::x'))).toBe('\\u003a:add-mask::x\n')
})

test('a terminal gets lines that break between words, and commands that can be copied', () => {
  const print = ({ notice, warn }: Messages) => {
    notice('  line 2: no match; person 3fc44dab-73df-4c58-8755-b31725339c31 has this email, a b')
    warn('Resume with: analytics jobs resume 20260515-120000-i000')
    notice('Short enough')
  }
  expect(printed(print, {}, 30)).toBe(
    '  line 2: no match; person\n  3fc44dab-73df-4c58-8755-b31725339c31\n  has this email, …\nResume with:\nanalytics jobs resume 20260515-120000-i000\nShort enough\n',
  )
})
