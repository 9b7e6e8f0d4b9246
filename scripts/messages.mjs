// Prints every text in src that a person can see, as Markdown with its place in a comment: for `npm run lint:text` and for a review.
import { readdirSync, readFileSync } from 'node:fs'
import { parseAst } from 'vite'

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map(name => `src/${name.replaceAll('\\', '/')}`)
  .filter(name => name.endsWith('.ts') && !/^src\/(sandbox\/|modules\.d)/.test(name))
  .sort()

for (const file of files) {
  const source = readFileSync(file, 'utf8')
  visit(parseAst(source, { lang: 'ts' }), (text, start) => {
    const line = source.slice(0, start).split('\n').length
    process.stdout.write(`<!-- ${file}:${line} -->\n${text}\n\n`)
  })
}

function visit(node, found) {
  if (Array.isArray(node)) for (const one of node) visit(one, found)
  if (typeof node?.type !== 'string' || /^(Import|Export(All|Named).*Source|TS)/.test(node.type)) return
  const text = textOf(node)
  if (text !== undefined && isProse(text)) found(text, node.start)
  for (const [name, child] of Object.entries(node))
    if (name !== 'source' && typeof child === 'object') visit(child, found)
}

/** Values in a template become X. */
function textOf({ type, value, quasis }) {
  if (type === 'Literal' && typeof value === 'string') return value
  return type === 'TemplateLiteral' ? quasis.map(({ value }) => value.cooked).join('X') : undefined
}

/** At least two words, of which one is lower-case English. */
function isProse(text) {
  return (
    /(^|\s)[a-z]{2,}(?=[\s.,:;?!)]|$)/.test(text) &&
    /\w\S*\s+\S*\w/.test(text) &&
    !/^\s*(SELECT|INSERT|CREATE|UPDATE|DELETE|BEGIN|PRAGMA|<)/.test(text)
  )
}
