/**
 * What a terminal shows after all that was written to it: a small model of one, as far as the program asks for it.
 * Rows are kept from the first on, as with the scrollback in view. Colours are left out.
 */
import { cells } from '../../src/text/cells.ts'

/** Bytes that came, or a window that was given another width. */
export type Event = string | { readonly columns: number }

interface Row {
  /** The text of each cell; none in the second one of a wide character. */
  cells: string[]
  /** Goes on with the line of the row above, that was full. */
  readonly continues: boolean
}

/** The screen as rows of text, without blanks at their ends and without empty rows at its end. */
export function screenOf(events: readonly Event[], columns: number): string {
  const screen = new Screen(columns)
  let text = ''
  for (const event of events) {
    if (typeof event === 'string') {
      text += event
      continue
    }
    screen.write(text)
    text = ''
    screen.resize(event.columns)
  }
  screen.write(text)
  return screen.text()
}

const graphemes = new Intl.Segmenter()

class Screen {
  #columns: number
  #rows: Row[] = [{ cells: [], continues: false }]
  #row = 0
  /** As many as there are columns: behind the last cell, and the next character begins a row. */
  #column = 0
  /** Whether text that does not fit continues in the next row; otherwise the last cell takes it all. */
  #wraps = true

  constructor(columns: number) {
    this.#columns = columns
  }

  text(): string {
    const lines = this.#rows.map(({ cells }) => Array.from(cells, cell => cell ?? ' ').join(''))
    return lines
      .map(line => line.trimEnd())
      .join('\n')
      .trimEnd()
  }

  write(text: string): void {
    // An escape sequence that is not whole yet acts on nothing.
    const whole = text.replace(/\u001b\[?[?\d;]*$/, '')
    for (const [part, code = '', letter] of whole.matchAll(
      /\u001b\[([?\d;]*)([A-Za-z])|[\0-\x1f\x7f]|[^\0-\x1f\x7f]+/g,
    )) {
      if (letter) this.#control(code, letter)
      else if (part < ' ') this.#key(part)
      else for (const { segment } of graphemes.segment(part)) this.#put(segment)
    }
  }

  #key(key: string): void {
    if (key === '\r') this.#column = 0
    else if (key === '\n') this.#down()
    else if (key === '\b') this.#column = Math.max(0, this.#column - 1)
    else if (key !== '\u0007') throw new Error(`A control character reached the screen: ${JSON.stringify(key)}`)
  }

  #control(code: string, letter: string): void {
    const count = Number(code) || 1
    if (letter === 'G') this.#column = count - 1
    else if (letter === 'C') this.#column = Math.min(this.#columns - 1, this.#column + count)
    else if (letter === 'A') this.#row = Math.max(0, this.#row - count)
    else if (letter === 'K') this.#eraseLine(Number(code))
    else if (letter === 'J') {
      if (this.#row === 0 && this.#column === 0) throw new Error('tmux would keep the screen in its history')
      this.#eraseBelow()
    } else if (code === '?7') this.#wraps = letter === 'h'
    else if (letter !== 'm') throw new Error(`A sequence reached the screen that it does not know: ${code}${letter}`)
  }

  #eraseLine(what: number): void {
    const row = this.#current()
    row.cells = what === 2 ? [] : row.cells.slice(0, this.#column)
  }

  #eraseBelow(): void {
    this.#eraseLine(0)
    this.#rows.length = this.#row + 1
  }

  #put(character: string): void {
    const width = cells(character)
    if (this.#column + width > this.#columns) {
      if (this.#wraps) this.#down(true)
      else this.#column = this.#columns - width
    }
    const row = this.#current()
    row.cells[this.#column] = character
    if (width === 2) row.cells[this.#column + 1] = ''
    this.#column += width
  }

  #down(continues = false): void {
    if (continues) this.#column = 0
    this.#row++
    this.#rows[this.#row] ??= { cells: [], continues }
  }

  #current(): Row {
    const row = this.#rows[this.#row]
    if (!row) throw new Error(`There is no row ${this.#row}`)
    return row
  }

  /** Lines are broken anew at the new width, and the cursor stays with its character, as most terminals do it. */
  resize(columns: number): void {
    const rows: Row[] = []
    let cursor = { row: 0, column: 0 }
    for (let from = 0; from < this.#rows.length; ) {
      let to = from + 1
      while (this.#rows[to]?.continues) to++
      const parts = this.#rows.slice(from, to)
      const line = parts.flatMap(({ cells }) => cells)
      if (this.#row >= from && this.#row < to) {
        const before = parts.slice(0, this.#row - from).reduce((sum, { cells }) => sum + cells.length, 0) + this.#column
        cursor = { row: rows.length + Math.floor(before / columns), column: before % columns }
      }
      for (let at = 0; at === 0 || at < line.length; at += columns) {
        rows.push({ cells: line.slice(at, at + columns), continues: at > 0 })
      }
      from = to
    }
    this.#rows = rows
    this.#row = cursor.row
    this.#column = cursor.column
    this.#columns = columns
  }
}
