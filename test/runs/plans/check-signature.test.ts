/** Whose signature makes a plan run. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { hasKeygen } from '../../keygen.ts'
import { planningWorld } from './planning.ts'

const { run, file, exists } = planningWorld()

describe.skipIf(!hasKeygen)('signatures (skipped where there is no ssh-keygen)', () => {
  const sign = (key: string, namespace = 'analytics') =>
    execFileSync('ssh-keygen', ['-Y', 'sign', '-n', namespace, '-f', file(key), file('p.json')], { stdio: 'ignore' })
  const prepare = async () => {
    for (const key of ['ada', 'eve']) {
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', key, '-f', file(key)])
    }
    writeFileSync(file('signers'), `ada@example.com ${readFileSync(file('ada.pub'), 'utf8')}`)
    await run('persons delete 3 4 --plan p.json')
  }
  const signed = () => run('jobs run p.json --signers signers --yes')

  test('a plan signed by a listed key runs', async () => {
    await prepare()
    sign('ada')
    const { code, stderr } = await signed()
    expect([code, stderr]).toEqual([0, expect.stringContaining('Signed by ada@example.com')])
  })

  test.each([
    ['for another purpose', 'release@example.com namespaces="file" KEY\nada@example.com namespaces="analytics" KEY\n'],
    ['of another time', 'old@example.com valid-before="20200101" KEY\n"lin@example.com,ada@example.com" KEY\n'],
    ['under two names', '# Ours\n\n  release@example.com namespaces="file" KEY\r\n"a b,ada@example.com" KEY'],
  ])('a plan signed by a key that is listed twice runs, where one line allows it: %s', async (_, lines) => {
    await prepare()
    sign('ada')
    const key = readFileSync(file('ada.pub'), 'utf8').split(' ').slice(0, 2).join(' ')
    writeFileSync(file('signers'), lines.replaceAll('KEY', key))
    const { code, stderr } = await signed()
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Signed by (ada@example.com|lin@example.com|a b)/)])
  })

  test.each([
    ['!m@corp,*@corp', 'Signed by somebody listed as *@corp'],
    ['?d*@corp', 'Signed by somebody listed as ?d*@corp'],
    ['*@corp,ada@corp', 'Signed by ada@corp'],
    ['!*@corp,*@corp', undefined],
    ['!ada@corp', undefined],
    ['eve@corp EVE\n*@corp', 'Signed by somebody listed as *@corp'],
    ['ada@corp namespaces="file" ADA\n?d*@corp', 'Signed by ada@corp'],
    ['eve@corp cert-authority EVE\n*@corp', 'Signed by somebody listed as *@corp'],
    ['eve@corp cert-authority ADA\n*@corp', 'Signed by somebody listed as *@corp'],
  ])('neither a pattern nor an excluded name is that of who signed: %s', async (listed, told) => {
    await prepare()
    sign('ada')
    const [ada = '', eve = ''] = ['ada', 'eve'].map(name => readFileSync(file(`${name}.pub`), 'utf8').trim())
    writeFileSync(file('signers'), `${listed.replace('ADA', ada).replace('EVE', eve)} ${ada}\n`)
    const { code, stderr } = await signed()
    expect([code, /Signed by .*/.exec(stderr)?.[0]]).toEqual([told === undefined ? 10 : 0, told])
  })

  test('a plan signed with a certificate of a listed authority runs, also where its first line is for another purpose', async () => {
    await prepare()
    execFileSync('ssh-keygen', ['-q', '-s', file('eve'), '-I', 'ada', '-n', 'ada@corp', file('ada.pub')])
    sign('ada-cert.pub')
    const authority = readFileSync(file('eve.pub'), 'utf8')
    const listed = `ada@corp cert-authority,namespaces="file" ${authority}ada@corp cert-authority ${authority}`
    writeFileSync(file('signers'), listed)
    const { code, stderr } = await signed()
    expect([code, stderr]).toEqual([0, expect.stringContaining('Signed by ada@corp')])
  })

  test('a plan signed by a key that no line allows for it does not run, whoever else is listed', async () => {
    await prepare()
    sign('eve')
    const [ada, eve] = ['ada', 'eve'].map(name => readFileSync(file(`${name}.pub`), 'utf8'))
    writeFileSync(file('signers'), `eve@example.com namespaces="file" ${eve}ada@example.com ${ada}`)
    expect((await signed()).code).toBe(10)
    expect(await exists(3)).toBe(true)
  })

  test.each([
    ['not signed', () => {}],
    ['signed by another', () => sign('eve')],
    ['signed for another purpose', () => sign('ada', 'file')],
    [
      'another than was signed',
      async () => {
        sign('ada')
        await run('persons delete 3 5 --plan p.json')
      },
    ],
  ])('a plan that is %s does not', async (_, act) => {
    await prepare()
    await act()
    expect((await signed()).code).toBe(10)
    expect(await exists(3)).toBe(true)
  })
})

test.skipIf(process.platform === 'win32').each([
  ['signers', 'p.json.sig'],
  ['p.json.sig', 'signers'],
])('%s is no pipe, which nobody may write to', async (pipe, other) => {
  await run('persons delete 3 4 --plan p.json')
  execFileSync('mkfifo', [file(pipe)])
  writeFileSync(file(other), '')
  const { code, stderr } = await run('jobs run p.json --signers signers --yes')
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${pipe} cannot be read: that is no regular file.`)])
})

test('--signers without ssh-keygen is a mistake of usage', async () => {
  await run('persons delete 3 4 --plan p.json')
  for (const name of ['signers', 'p.json.sig']) writeFileSync(file(name), '')
  const { code } = await run('jobs run p.json --signers signers --yes', {
    env: { PATH: file('') },
  })
  expect(code).toBe(2)
})
