import { settingRows } from '../../config/settings.ts'

interface Variable {
  readonly name: string
  readonly summary: string
  readonly option?: string | undefined
}

const foreign: readonly Variable[] = [
  { name: 'FORCE_COLOR', summary: 'colour even without a terminal; 0 or false: never; NO_COLOR is stronger' },
  { name: 'CLICOLOR_FORCE', summary: 'colour even without a terminal, unless it is 0' },
  { name: 'CLICOLOR', summary: '0: no colour at a terminal' },
  { name: 'CI', summary: 'set by CI services: nothing is asked, and progress is a line now and then' },
  { name: 'HTTP_PROXY', summary: 'proxy for http:// addresses; the lower-case name wins' },
  { name: 'HTTPS_PROXY', summary: 'proxy for https:// addresses; the lower-case name wins' },
  {
    name: 'NO_PROXY',
    summary: 'hosts and blocks (10.0.0.0/8) reached without a proxy; this machine always is',
  },
  { name: 'ALL_PROXY', summary: 'proxy where no other variable names one; SOCKS proxies are refused' },
  { name: 'NODE_EXTRA_CA_CERTS', summary: 'file of certificates to trust in addition to the usual ones' },
  { name: 'XDG_CONFIG_HOME', summary: 'parent of the folder of config.json (~/.config)' },
  { name: 'XDG_STATE_HOME', summary: 'parent of the folder of jobs and the sandbox (~/.local/state)' },
]

export const variables: readonly Variable[] = [
  ...settingRows.flatMap(([, { variable, option, summary }]) =>
    variable === undefined ? [] : [{ name: variable, summary, option }],
  ),
  ...foreign,
]
