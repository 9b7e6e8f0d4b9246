/** Checks the grammar of a JSON value that arrives in chunks, but not the content of strings. */
import { Malformed } from './item.ts'
import { classes, classOf, closing, divider, openList, openObject, scalar, space, stringEnd } from './scan.ts'

/** All bytes of a group are equal for the grammar. */
const alphabet = [' \t\r\n', ',', ':', '"', '{', '[', '}', ']', '0', '123456789', ...'-+.eEtrufalsn']
const other = alphabet.length
const meanings = new Uint8Array(256).fill(other)
for (const [meaning, bytes] of alphabet.entries()) for (const byte of Buffer.from(bytes)) meanings[byte] = meaning

const states = [
  ...['value', 'value or end', 'key', 'key or end', 'colon', 'read'],
  ...['minus', 'zero', 'whole', 'point', 'fraction', 'e', 'sign', 'exponent'],
  ...['t', 'tr', 'tru', 'f', 'fa', 'fal', 'fals', 'n', 'nu', 'nul'],
] as const
type State = (typeof states)[number]

/** Actions for a byte, other than changing the state; numbered after the states. */
const actions = ['string', 'open', 'close', 'comma', 'wrong'] as const
const [string, open, close, dividing, wrong] = actions.map((_, i) => states.length + i) as [
  number,
  number,
  number,
  number,
  number,
]

const value = states.indexOf('value')
const valueOrEnd = states.indexOf('value or end')
const key = states.indexOf('key')
const keyOrEnd = states.indexOf('key or end')
const colonWanted = states.indexOf('colon')
const read = states.indexOf('read')

const bits = 5
const table = grammar()

function grammar(): Uint8Array {
  const rules = new Uint8Array(states.length << bits).fill(wrong)
  const on = (state: State, bytes: string, next: State | (typeof actions)[number]) => {
    const to = [...states, ...actions].indexOf(next)
    for (const byte of Buffer.from(bytes)) rules[(states.indexOf(state) << bits) | (meanings[byte] as number)] = to
  }
  for (const state of ['value', 'value or end'] as const) {
    on(state, ' ', state)
    on(state, '"', 'string')
    on(state, '{[', 'open')
    on(state, '-', 'minus')
    on(state, '0', 'zero')
    on(state, '1', 'whole')
    for (const letter of ['t', 'f', 'n'] as const) on(state, letter, letter)
  }
  for (const state of ['key', 'key or end'] as const) {
    on(state, ' ', state)
    on(state, '"', 'string')
  }
  on('colon', ' ', 'colon')
  on('colon', ':', 'value')
  for (const state of ['read', 'zero', 'whole', 'fraction', 'exponent'] as const) {
    on(state, ' ', 'read')
    on(state, ',', 'comma')
    on(state, '}]', 'close')
  }
  on('value or end', '}]', 'close')
  on('key or end', '}]', 'close')
  on('minus', '0', 'zero')
  on('minus', '1', 'whole')
  on('whole', '01', 'whole')
  for (const state of ['zero', 'whole'] as const) on(state, '.', 'point')
  for (const state of ['point', 'fraction'] as const) on(state, '01', 'fraction')
  for (const state of ['zero', 'whole', 'fraction'] as const) on(state, 'eE', 'e')
  on('e', '+-', 'sign')
  for (const state of ['e', 'sign', 'exponent'] as const) on(state, '01', 'exponent')
  for (const word of ['true', 'false', 'null']) {
    for (let i = 1; i < word.length; i++) {
      const next = i + 1 === word.length ? 'read' : (word.slice(0, i + 1) as State)
      on(word.slice(0, i) as State, word[i] ?? '', next)
    }
  }
  return rules
}

export class JsonValidator {
  #open = new Uint8Array(64)
  #depth = 0
  #state = value
  #string = 0

  begin(): void {
    this.#depth = 0
    this.#string = 0
    this.#state = value
  }

  /** Returns the index after the value, or -1 if it may continue, as a number does. Throws `Malformed`. */
  pass(bytes: Buffer, from: number): number {
    let i = from
    if (this.#string !== 0) {
      i = stringEnd(bytes, this.#string === -2 ? from + 1 : from)
      this.#string = i < 0 ? i : 0
      if (i < 0 || this.#depth === 0) return i
    } else if (this.#depth === 0) {
      while (i < bytes.length && classes[bytes[i] as number] === scalar) i++
      const kind = classOf(bytes[i])
      if (i === bytes.length) return -1
      if (i > from || kind === space || kind === divider || kind === closing) return i
    }
    return this.#pass(bytes, i)
  }

  #pass(bytes: Buffer, from: number): number {
    const length = bytes.length
    let state = this.#state
    let depth = this.#depth
    let i = from
    while (i < length) {
      const byte = bytes[i] as number
      const next = table[(state << bits) | (meanings[byte] as number)] as number
      if (next < string) {
        state = next
        i++
      } else if (next === string) {
        i = stringEnd(bytes, i + 1)
        if (depth === 0 && i >= 0) return i
        state = state === key || state === keyOrEnd ? colonWanted : read
        if (i < 0) {
          this.#string = i
          break
        }
      } else if (next === dividing) {
        state = this.#open[depth - 1] === openObject ? key : value
        i++
      } else if (next === open) {
        if (depth === this.#open.length) this.#deepen()
        this.#open[depth++] = byte
        state = byte === openList ? valueOrEnd : keyOrEnd
        i++
      } else if (next === close) {
        // In ASCII, the code of a closing bracket is that of its opening bracket + 2.
        if ((this.#open[--depth] as number) + 2 !== byte) throw new Malformed('brackets that do not match')
        i++
        if (depth === 0) return i
        state = read
      } else {
        throw new Malformed('not JSON')
      }
    }
    this.#state = state
    this.#depth = depth
    return -1
  }

  #deepen(): void {
    const deeper = new Uint8Array(this.#open.length * 2)
    deeper.set(this.#open)
    this.#open = deeper
  }
}
