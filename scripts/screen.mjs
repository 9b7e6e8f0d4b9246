/** What a terminal shows after what was written to it, with its colours: the few escapes that the program writes. */

const esc = String.fromCharCode(27)
const sequence = new RegExp(`${esc}\\[([?\\d;]*)([A-Za-z])|[\\r\\n\\b]|[^${esc}\\r\\n\\b]`, 'gu')

/** Rows of spans of one style each, without blanks at their ends. */
export function screenOf(bytes, columns) {
  const rows = [[]]
  let [row, column, style] = [0, 0, {}]
  const down = () => {
    rows[++row] ??= []
  }
  for (const [part, code = '', letter] of bytes.matchAll(sequence)) {
    if (letter === 'm') style = styled(style, code)
    else if (letter === 'G') column = (Number(code) || 1) - 1
    else if (letter === 'A') row = Math.max(0, row - (Number(code) || 1))
    else if (letter === 'K') rows[row].length = code === '2' ? 0 : Math.min(rows[row].length, column)
    else if (letter === 'J') rows.splice(row, Infinity, rows[row].slice(0, column))
    else if (part === '\r') column = 0
    else if (part === '\b') column = Math.max(0, column - 1)
    else if (part === '\n') down()
    else if (!letter) {
      if (column === columns) {
        down()
        column = 0
      }
      rows[row][column++] = { text: part, ...style }
    }
  }
  return trimmed(rows.map(spans))
}

const styles = {
  1: { bold: true },
  22: { bold: undefined },
  7: { inverse: true },
  27: { inverse: undefined },
  39: { color: undefined },
}

function styled(style, code) {
  return Number(code) === 0 ? {} : { ...style, ...(styles[code] ?? { color: Number(code) }) }
}

function spans(cells) {
  const found = []
  for (const cell of Array.from(cells, one => one ?? { text: ' ' })) {
    const last = found.at(-1)
    if (last && isAlike(last, cell)) last.text += cell.text
    else found.push({ ...cell })
  }
  return found
}

function isAlike(one, other) {
  return one.bold === other.bold && one.color === other.color && one.inverse === other.inverse
}

function trimmed(rows) {
  const last = rows.findLastIndex(row => row.some(({ text }) => text.trim() !== ''))
  return rows.slice(0, last + 1)
}
