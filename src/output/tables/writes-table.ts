/** Table of a dry run's writes, which must show what people check: method, id at the end of the path, and body. */

import type { Renderer } from '../document.ts'
import type { Cell } from '../table-parts/cell.ts'
import { plainRows, rowsOf } from './table.ts'

export const writesRenderer: Renderer = ({ batches, view }, options) =>
  rowsOf(batches, options, first => {
    const { names, row } = plainRows(first, view, options)
    const place = names.indexOf('url')
    return {
      names,
      kept: ['method', 'url'],
      row: item => row(item).map((cell, i) => (i === place ? withPath(cell) : cell)),
    }
  })

function withPath(cell: Cell): Cell {
  return { ...cell, path: cell.text.replace(/^\w+:\/\/[^/]*/, '') }
}
