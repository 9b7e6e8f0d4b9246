import type { Failure } from '../../errors.ts'

export interface Finding {
  readonly check: string
  readonly status: 'ok' | 'warn' | 'fail' | 'skip'
  readonly what: string
  readonly hint: string | null
  /** Decides the exit code. */
  readonly failure?: Failure
}

export function ok(check: string, what: string): Finding {
  return { check, status: 'ok', what, hint: null }
}

export function warn(check: string, what: string, hint: string): Finding {
  return { check, status: 'warn', what, hint }
}

export function skip(check: string, why: string): Finding {
  return { check, status: 'skip', what: why, hint: null }
}

export function fail(check: string, failure: Failure): Finding {
  return { check, status: 'fail', what: failure.message, hint: failure.facts.hint ?? null, failure }
}
