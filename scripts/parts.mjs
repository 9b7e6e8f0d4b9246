/**
 * Joins the files into which esbuild splits the program: each becomes a function in one file, called when it is first
 * imported. Functions, because V8 keeps the code of those alone that a run called; one file, because
 * a long run shall not need a file that an update took away.
 */
export function joined(files, folder, entry) {
  const numbers = new Map(files.map(({ path }, i) => [`.${path.slice(folder.length)}`, i]))
  return `"use strict";
const loaded = []
const part = i => (loaded[i] ??= parts[i]())
const later = async i => part(i)
const outside = async name => Object.create(require(name), { default: { value: require(name) } })
const parts = [
${files.map(({ text }) => asFunction(text, numbers)).join(',\n')}
]
part(${numbers.get(entry)})
`
}

/** Knows the forms that esbuild writes. */
function asFunction(text, numbers) {
  const imports = []
  const exports = []
  const body = text
    .replace(/(?<=^|[;}\n])import ?(?:([^"();]+?) ?from ?)?"([^"]+)";/g, (_, names, from) => {
      const source = numbers.has(from) ? `part(${numbers.get(from)})` : `require("${from}")`
      imports.push(names ? `const ${names.replace(/^\* ?as /, '').replaceAll(' as ', ':')}=${source};` : `${source};`)
      return ''
    })
    .replace(/(?<=^|[;}\n])export(?:\{([^}]*)\}| default ([^;]+));/g, (_, names, value) => {
      const members = names?.split(',').map(name => name.split(' as ').reverse().join(':'))
      exports.push(...(members ?? [`default:${value}`]))
      return ''
    })
    .replace(/\bimport\(("[^"]+")\)/g, (_, quoted) => {
      const number = numbers.get(JSON.parse(quoted))
      return number === undefined ? `outside(${quoted})` : `later(${number})`
    })
  if (/\bimport\(/.test(body)) throw new Error('An import() names no module')
  return `()=>{${imports.join('')}${body.trim()}return{${exports}}}`
}
