import CliTable from 'cli-table3'
import { escapeRunnerCommands } from '../text/runner-commands.ts'
import { gap } from './layout.ts'

interface GridColumn {
  readonly width: number
  readonly isNumeric: boolean
}

/** Lines without borders, and without blanks at their ends. */
export function drawGrid(rows: readonly (readonly string[])[], columns: readonly GridColumn[]): string {
  const table = new CliTable({
    chars: { ...noBorders, middle: gap },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colWidths: columns.map(({ width }) => Math.max(1, width)),
    colAligns: columns.map(({ isNumeric }) => (isNumeric ? 'right' : 'left')),
  })
  table.push(...rows.map(row => [...row]))
  return escapeRunnerCommands(table.toString().replace(/ +$/gm, ''))
}

const noBorders = Object.fromEntries(
  ['top', 'bottom', 'mid', 'left', 'right', 'mid-mid']
    .flatMap(side => [side, `${side}-left`, `${side}-mid`, `${side}-right`])
    .map(side => [side, '']),
)
