/** Derives columns from an expression, for a result without values. */
import { type ExpressionNode, isNode } from './expression-nodes.ts'

/** Unchanged rows, or values with these fields. */
export type FoundColumns = 'as they came' | readonly string[]

const choosing = ['reverse', 'sort_by']

export function columnsFound(node: unknown): FoundColumns {
  if (!isNode(node)) return []
  const behind = (first: unknown, then: unknown) => {
    const columns = columnsFound(then)
    return columns === 'as they came' ? columnsFound(first) : columns
  }
  switch (node.type) {
    case 'Identity':
    case 'Current':
    case 'Slice':
      return 'as they came'
    // `results` holds the items of a list with its envelope.
    case 'Field':
      return node.name === 'results' ? 'as they came' : []
    case 'Flatten':
      return columnsFound(node.child)
    case 'Function':
      return choosing.includes(String(node.name)) ? columnsFound((node.children as readonly unknown[])[0]) : []
    case 'MultiSelectHash':
      return (node.children as readonly ExpressionNode[]).map(({ name }) => String(name))
    case 'FilterProjection':
    case 'IndexExpression':
    case 'Pipe':
    case 'Projection':
      return behind(node.left, node.right)
    default:
      return []
  }
}
