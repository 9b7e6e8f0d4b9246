/** All command words and their files; only those of the chosen command are loaded. */
import type { Command, Tree } from '../cli/command.ts'

const file = (load: () => Promise<{ readonly default: Command }>) => async () => (await load()).default

type First<F extends (word: never) => unknown> = Parameters<F>[0]

const list = (group: First<typeof import('./records.ts').listCommand>) => async () =>
  (await import('./records.ts')).listCommand(group)

const get = (group: First<typeof import('./records.ts').getCommand>) => async () =>
  (await import('./records.ts')).getCommand(group)

const read = (words: First<typeof import('./reads.ts').readCommand>) => async () =>
  (await import('./reads.ts')).readCommand(words)

const changePlugin = (verb: First<typeof import('./plugins/change.ts').changeCommand>) => async () =>
  (await import('./plugins/change.ts')).changeCommand(verb)

export const tree: Tree = {
  persons: {
    summary: 'Find, read, change and delete persons',
    commands: {
      list: file(() => import('./persons/list.ts')),
      get: file(() => import('./persons/get.ts')),
      update: file(() => import('./persons/update.ts')),
      delete: file(() => import('./persons/delete.ts')),
      'delete-property': file(() => import('./persons/delete-property.ts')),
      'update-property': file(() => import('./persons/update-property.ts')),
      split: file(() => import('./persons/split.ts')),
      verify: file(() => import('./persons/verify.ts')),
      report: file(() => import('./persons/report.ts')),
      activity: read('persons activity'),
      'properties-timeline': read('persons properties-timeline'),
      cohorts: read('persons cohorts'),
      funnel: read('persons funnel'),
      'funnel-correlation': read('persons funnel-correlation'),
      lifecycle: read('persons lifecycle'),
      path: read('persons path'),
      retention: read('persons retention'),
      stickiness: read('persons stickiness'),
      trends: read('persons trends'),
      values: read('persons values'),
    },
  },
  plugins: {
    summary: 'Find, install, change and delete plugins',
    commands: {
      list: list('plugins'),
      get: get('plugins'),
      create: file(() => import('./plugins/create.ts')),
      update: changePlugin('update'),
      delete: file(() => import('./plugins/delete.ts')),
      upgrade: changePlugin('upgrade'),
      'check-for-updates': read('plugins check-for-updates'),
      source: read('plugins source'),
      'update-source': changePlugin('update-source'),
      activity: read('plugins activity'),
      unused: read('plugins unused'),
      repository: read('plugins repository'),
      'exports-unsubscribe-configs': read('plugins exports-unsubscribe-configs'),
    },
  },
  'event-definitions': {
    summary: 'Find, rename, tag and delete event definitions',
    commands: {
      list: list('event-definitions'),
      get: file(() => import('./event-definitions/get.ts')),
      update: file(() => import('./event-definitions/update.ts')),
      delete: file(() => import('./event-definitions/delete.ts')),
    },
  },
  projects: {
    summary: 'Find, change and delete projects; settings as code',
    commands: {
      list: list('projects'),
      get: get('projects'),
      create: file(() => import('./projects/create.ts')),
      update: file(() => import('./projects/update.ts')),
      delete: file(() => import('./projects/delete.ts')),
      pull: file(() => import('./projects/pull.ts')),
      diff: file(() => import('./projects/diff.ts')),
      apply: file(() => import('./projects/apply.ts')),
    },
  },
  jobs: {
    summary: 'Runs that change objects: resume, undo, receipts',
    commands: {
      list: file(() => import('./jobs/list.ts')),
      show: file(() => import('./jobs/show.ts')),
      resume: file(() => import('./jobs/resume.ts')),
      undo: file(() => import('./jobs/undo.ts')),
      receipt: file(() => import('./jobs/receipt.ts')),
      remove: file(() => import('./jobs/remove.ts')),
    },
  },
  profiles: {
    summary: 'Saved base URLs, keys and projects',
    commands: {
      add: file(() => import('./profiles/add.ts')),
      set: file(() => import('./profiles/set.ts')),
      list: file(() => import('./profiles/list.ts')),
      show: file(() => import('./profiles/show.ts')),
      use: file(() => import('./profiles/use.ts')),
      rename: file(() => import('./profiles/rename.ts')),
      remove: file(() => import('./profiles/remove.ts')),
    },
  },
  sandbox: {
    summary: 'A working copy of the service, with made-up data',
    commands: {
      serve: file(() => import('./sandbox/serve.ts')),
      load: file(() => import('./sandbox/load.ts')),
      reset: file(() => import('./sandbox/reset.ts')),
    },
  },
  api: file(() => import('./api.ts')),
  doctor: file(() => import('./doctor.ts')),
  completion: file(() => import('./completion.ts')),
  help: file(() => import('./help.ts')),
}

const local: ReadonlySet<string> = new Set(['profiles', 'sandbox', 'doctor', 'completion', 'help'])

/** Commands that reach no service, and so do without a profile. */
export function isLocal([group = '', verb = '']: readonly string[]): boolean {
  return local.has(group) || (group === 'jobs' && !['resume', 'undo'].includes(verb))
}
