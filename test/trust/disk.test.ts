/** Disks that are full, or fill up. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { type Env, program } from '../process/program.ts'
import { deleting, type Shell, startShell } from './shell.ts'

needsPosix('a shell')

let shell: Shell
beforeAll(async () => {
  shell = await startShell()
})
afterAll(() => shell.close())

describe.runIf(process.platform === 'linux')('a full disk', () => {
  const full = 'The output cannot be written: the disk is full.\nMake room on the disk.\n'

  test.each(['--version', 'persons list --help', 'persons get 1'])('under stdout of analytics %s', async words => {
    expect(await shell.run(`analytics ${words} >/dev/full`)).toMatchObject({ stdout: '', stderr: full, code: 7 })
  })

  test('under stderr does not stop a run', async () => {
    expect(await shell.run(`${deleting} --debug 2>/dev/full`)).toMatchObject({ code: 0, sent: 3 })
  })

  test.each([
    'persons delete 1 --yes -o json',
    'api PATCH /api/projects/1/persons/1/ --body {} -o json',
  ])('under stdout of analytics %s: 7, since a request was sent, and not retryable', async words => {
    const { stderr, code, sent } = await shell.run(`analytics ${words} >/dev/full`)
    expect([code, sent]).toEqual([7, 1])
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({
      message: 'The output cannot be written: the disk is full; sent requests are not undone',
      retryable: false,
    })
  })

  test('under stdout of a run: it finishes, and prints its summary', async () => {
    const { stderr, code, sent } = await shell.run(`${deleting} -o csv >/dev/full`)
    expect([code, sent, stderr]).toEqual([7, 3, expect.stringMatching(/^Deleted 3 persons.*\n/m)])
    expect(stderr).toMatch(
      /The output cannot be written: the disk is full; sent requests are not undone\.\nMake room on the disk\.\n$/,
    )
  })

  /** A disk that only the commands of `line` can see. */
  const own = (size: string, line: string) => `unshare -rm bash -c '
    set -e; mkdir -p "$HOME/disk"; mount -t tmpfs -o size=${size},mode=700 tmpfs "$HOME/disk"; set +e
    ${program}
    ${line}'`
  const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

  describe.runIf(canMount)('of our own', () => {
    const state = { ANALYTICS_STATE_DIR: '' }
    beforeAll(() => {
      state.ANALYTICS_STATE_DIR = join(shell.folder, 'disk')
    })

    test('that has no room for a job: nothing is sent', async () => {
      const line = own(
        '64k',
        'seq 1 20000 | analytics persons delete --from - --yes; code=$?; ls -A "$HOME/disk/jobs"; exit $code',
      )
      const { stdout, stderr, code, sent } = await shell.run(line, state)
      expect([code, stdout, sent]).toEqual([7, '', 0])
      expect(stderr).toContain(`The job cannot be saved in ${join(shell.folder, 'disk/jobs')}: the disk is full.`)
    })

    test.each([
      '1',
      '1 2',
    ])('that has room for a job of %s, but not for its lock: nothing is sent, and no job is left', async ids => {
      const line = own(
        '12k',
        `analytics persons update ${ids} --set a=b --yes >/dev/null; code=$?; ls -A "$HOME/disk/jobs"; exit $code`,
      )
      const { stdout, stderr, code, sent } = await shell.run(line, state)
      expect([code, stdout, sent]).toEqual([7, '', 0])
      expect(stderr).toContain('the disk is full')
    })

    test('that fills up during a run: what was sent is in the journal, and with room it resumes', async () => {
      const line = own(
        '32k',
        `seq 1 500 | analytics persons delete --from - --yes -q; echo "first $?"
         analytics jobs resume --last -q; echo "full $?"
         mount -o remount,size=10m tmpfs "$HOME/disk"
         analytics jobs resume --last -q; echo "second $?"
         analytics jobs list -o json`,
      )
      const before = shell.server.asked.length
      const { stdout, stderr } = await shell.run(line, state)
      expect(stderr).toContain('cannot be written: the disk is full.\nMake room on the disk.')
      expect(stdout.match(/^(first|full|second) \d+$/gm)).toEqual(['first 7', 'full 7', 'second 0'])
      expect(JSON.parse(stdout.slice(stdout.indexOf('[')))).toMatchObject([{ state: 'done', done: 500, failed: 0 }])
      const paths = shell.server.asked.slice(before).map(({ path }) => path)
      expect(new Set(paths).size).toBe(500)
    })

    test.each(['receipt', 'backup'])('under stdout: /dev/stdout is no file for a %s, and stays', async option => {
      const line = own(
        '64k',
        `cd "$HOME"; mkdir -p dev; mount -t tmpfs tmpfs dev; ln -s /proc/self/fd/1 dev/stdout
         mkdir dev/shm; mount --rbind /dev/shm dev/shm; mount --move dev /dev
         analytics persons update 1 2 --set a=b --yes --${option} /dev/stdout >"$HOME/disk/out"; code=$?
         cat "$HOME/disk/out"; readlink /dev/stdout; exit $code`,
      )
      const { stdout, stderr, code, sent } = await shell.run(line)
      expect([code, sent, stdout]).toEqual([2, 0, '/proc/self/fd/1\n'])
      expect(stderr).toContain('/dev/stdout cannot be written: it is not a regular file.\nUse another file.\n')
    })

    test('that has no room for the rest of a backup: what was not saved was not sent, and with room it resumes', async () => {
      const line = own(
        '16k',
        `seq 1 120 | analytics persons update --from - --set a=b --backup "$HOME/disk/b" --yes -q; echo "first $?"
         mount -o remount,size=10m tmpfs "$HOME/disk"
         analytics jobs resume --last -q; echo "second $?"
         analytics jobs list -o json; grep '^{.*}$' "$HOME/disk/b" | cut -d, -f2 | sort -u | wc -l`,
      )
      const { stdout, stderr } = await shell.run(line)
      expect(stderr).toContain(
        `The backup ${join(shell.folder, 'disk/b')} cannot be written: the disk is full.\nMake room`,
      )
      expect(stdout.match(/^(first|second) \d+$/gm)).toEqual(['first 7', 'second 0'])
      expect(stdout).toContain('"state":"done","total":120,"done":120,"failed":0')
      expect(stdout.trimEnd().split('\n').at(-1)).toBe('120')
    })

    test('that has no room for the rest of a backup: a resume may save the rest in another file', async () => {
      const line = own(
        '16k',
        `seq 1 120 | analytics persons update --from - --set a=b --backup "$HOME/disk/b" --yes -q; echo "first $?"
         analytics jobs resume --last --backup "$HOME/rest" -q; echo "second $?"
         analytics jobs undo --last --dry-run -q -o ids | wc -l`,
      )
      const { stdout } = await shell.run(line)
      expect(stdout.match(/^(first|second) \d+$|^120$/gm)).toEqual(['first 7', 'second 0', '120'])
    })

    test('that has no room for the receipt of a run: exit code 7, since 2 would mean that nothing was sent', async () => {
      const line = own(
        '64k',
        `touch "$HOME/disk/zero"; head -c 100000 /dev/zero >"$HOME/disk/zero" 2>/dev/null
         seq 1 9 | analytics persons delete --from - --receipt "$HOME/disk/r.json" --yes -q; echo "run $?"
         analytics jobs resume --last --receipt "$HOME/disk/r.json" -q; echo "resume $?"
         analytics jobs receipt $(ls -t "$ANALYTICS_STATE_DIR/jobs" | head -1) > /dev/null; echo "again $?"`,
      )
      const { stdout, stderr, sent } = await shell.run(line, { ANALYTICS_STATE_DIR: join(shell.folder, 'receipts') })
      expect([stdout, sent]).toEqual(['deleted  9\nrun 7\nresume 7\nagain 0\n', 9])
      expect(stderr).toContain('--receipt')
    })

    test.each<[what: string, room: string, env: Env]>([
      ['', '', {}],
      [', also if only a part of the file fits', 'truncate -s -8192 "$HOME/disk/zero"', {}],
      // conf writes a file in place if SNAP is set.
      [', also in a snap', '', { SNAP: '/snap/x' }],
    ])('that has no room for another profile: exit code 7, and the file stays as it was%s', async (_, room, more) => {
      const line = own(
        '64k',
        `add() { analytics profiles add $1 --base-url https://$1.example.com --api-key-command "$command" -q; }
         command="print $(head -c 5000 /dev/zero | tr "\\000" x)"; add one || exit 9
         before=$(cat "$HOME/disk/c/config.json"); head -c 100000 /dev/zero >"$HOME/disk/zero" 2>/dev/null; ${room}
         add two; echo "code $?"; ls -A "$HOME/disk/c"; [ "$before" = "$(cat "$HOME/disk/c/config.json")" ] && echo same`,
      )
      const env = { ...more, ANALYTICS_CONFIG_DIR: join(shell.folder, 'disk', 'c') }
      const { stdout, stderr } = await shell.run(line, env)
      const message = expect.stringContaining('config.json cannot be written: the disk is full.\n')
      expect([stdout, stderr]).toEqual(['code 7\nconfig.json\nsame\n', message])
    })
  })
})
