/** Every command. Only the file of the chosen one is loaded. */
import type { Command, Tree } from '../cli/command.ts'

const file = (load: () => Promise<{ readonly default: Command }>) => async () => (await load()).default

/** Commands that are rows of one table. */
function rowsOf<W extends string>(load: () => Promise<(words: W) => Command>) {
  return (...all: readonly W[]) =>
    Object.fromEntries(all.map(words => [words.replace(/.* /, ''), async () => (await load())(words)]))
}

const reads = rowsOf(async () => (await import('./reads.ts')).readCommand)
const records = rowsOf(async () => (await import('./records.ts')).recordCommand)
const pluginChanges = rowsOf(async () => (await import('./plugins/change.ts')).changeCommand)
const profileEdits = rowsOf(async () => (await import('./profiles/edit.ts')).editCommand)

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
      ...reads('persons activity', 'persons properties-timeline', 'persons cohorts'),
      ...reads('persons funnel', 'persons funnel-correlation', 'persons lifecycle', 'persons path'),
      ...reads('persons retention', 'persons stickiness', 'persons trends', 'persons values'),
    },
  },
  plugins: {
    summary: 'Find, install, change and delete plugins',
    commands: {
      ...records('plugins list', 'plugins get'),
      create: file(() => import('./plugins/create.ts')),
      ...pluginChanges('update'),
      delete: file(() => import('./plugins/delete.ts')),
      ...pluginChanges('upgrade'),
      ...reads('plugins check-for-updates', 'plugins source'),
      ...pluginChanges('update-source'),
      ...reads('plugins activity', 'plugins unused'),
      ...reads('plugins repository', 'plugins exports-unsubscribe-configs'),
    },
  },
  'event-definitions': {
    summary: 'Find, rename, tag and delete event definitions',
    commands: {
      ...records('event-definitions list'),
      get: file(() => import('./event-definitions/get.ts')),
      update: file(() => import('./event-definitions/update.ts')),
      delete: file(() => import('./event-definitions/delete.ts')),
    },
  },
  projects: {
    summary: 'Find, change and delete projects; settings as code',
    commands: {
      ...records('projects list', 'projects get'),
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
      ...profileEdits('add', 'set'),
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

/** Whether the command sends no request, and so needs no profile. */
export function isLocal([group = '', verb = '']: readonly string[]): boolean {
  return local.has(group) || (group === 'jobs' && !['resume', 'undo'].includes(verb))
}
