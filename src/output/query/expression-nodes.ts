import type { compile } from '@jmespath-community/jmespath'

export type ParsedExpression = ReturnType<typeof compile>

export type ExpressionNode = Readonly<Record<string, unknown>>

export function nodesIn(node: unknown): ExpressionNode[] {
  if (Array.isArray(node)) return node.flatMap(nodesIn)
  return isNode(node) ? [node, ...Object.values(node).flatMap(nodesIn)] : []
}

/** Literals are data, which may look like nodes. */
export function isNode(node: unknown): node is ExpressionNode {
  return typeof node === 'object' && node !== null && !('type' in node && node.type === 'Literal')
}

export function replaced(node: ParsedExpression, change: (one: ExpressionNode) => ExpressionNode): ParsedExpression {
  const visit = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(visit)
    if (!isNode(one)) return one
    return change(Object.fromEntries(Object.entries(one).map(([name, child]) => [name, visit(child)])))
  }
  return visit(node) as ParsedExpression
}
