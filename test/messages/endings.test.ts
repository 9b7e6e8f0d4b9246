/** A sentence that ends in a command has no full stop: whoever copies the command would copy it too. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readCommandLine } from '../../src/cli/program.ts'
import { tree } from '../../src/commands/tree.ts'
import { sentence } from '../../src/messages/messages.ts'
import { wordsOf } from '../../src/text/shell-words.ts'

test.each([
  'See analytics jobs list',
  'See analytics plugins update --help',
  'Give it as in: analytics api GET /api/projects/{project}/persons/ --param search=ada@',
  'Export with: analytics persons list --all -o ndjson',
  'Make the changes with: analytics projects apply 1 -f settings.yaml',
  'Run it with analytics jobs run FILE',
  'Sign it with: ssh-keygen -Y sign -n analytics -f KEY plan.json',
  'Run: chmod 600 key.txt',
])('no full stop behind: %s', text => {
  expect(sentence(text)).toBe(text)
})

test.each([
  'Check the base URL, and what analytics persons get shows',
  'analytics projects pull writes a file to start from',
  'Look at it with analytics persons get 3 before you delete more',
  'There is no command for this in analytics',
])('a full stop behind: %s', text => {
  expect(sentence(text)).toBe(`${text}.`)
})

/** Texts of the program, with `1` for each value in them. */
function texts(): readonly string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
  return files
    .flatMap(file => readFileSync(`src/${file}`, 'utf8').match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? [])
    .map(text => text.slice(1, -1).replace(/\$\{[^}]*\}/g, '1'))
}

async function isCommand(line: string): Promise<boolean> {
  const read = await readCommandLine(wordsOf(line), tree)
  return read.command !== undefined && (!read.problem || read.parser.args.length === 0)
}

/** The words behind the command would do as arguments. */
const prose = [
  '1, so it cannot be resumed. Keep its folder if somebody must look into it; analytics jobs remove 1 deletes it',
  'Check its files; analytics jobs remove 1 deletes it',
  'Give one that analytics persons delete --receipt has written',
]

test('every text of the program that ends in a command is known to do so', async () => {
  const ending: string[] = []
  for (const text of texts()) {
    const line = /^\S.*\banalytics ([a-z][^\n]*)$/.exec(text)?.[1]
    if (line !== undefined && (await isCommand(line))) ending.push(text)
  }
  expect(ending.length).toBeGreaterThan(15)
  expect(ending.filter(text => sentence(text) !== text)).toEqual(prose)
})
