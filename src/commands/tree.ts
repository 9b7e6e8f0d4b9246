/** All command words and their files; only the chosen command is loaded. */
import type { Command, Load, Tree } from '../cli/command.ts'

const notInUse = {
  reason: 'the project in use is a setting',
  instead: 'Give --project ID or ANALYTICS_PROJECT, or keep it: analytics profiles set NAME --project ID',
}

const notStopped = {
  reason: 'a run is stopped where it runs, with Ctrl-C',
  instead: 'analytics jobs resume goes on with it later; analytics jobs remove deletes it',
}

const notServed = {
  reason: 'analytics sandbox serve is stopped where it runs, with Ctrl-C',
  instead: 'analytics sandbox reset starts afresh',
}

const undone = 'analytics jobs undo JOB --backup FILE puts back what an update changed'

const file = (load: () => Promise<{ readonly default: Command }>) => async () => (await load()).default
const view =
  (name: keyof typeof import('./reads.ts').personReads): Load =>
  async () =>
    (await import('./reads.ts')).personReads[name]
const read =
  (name: keyof typeof import('./reads.ts').pluginReads): Load =>
  async () =>
    (await import('./reads.ts')).pluginReads[name]

export const tree: Tree = {
  persons: {
    summary: 'Find, read, change and delete persons',
    commands: {
      list: file(() => import('./persons/list.ts')),
      get: file(() => import('./persons/get.ts')),
      update: file(() => import('./persons/update.ts')),
      delete: file(() => import('./persons/delete.ts')),
      activity: view('activity'),
      'delete-property': file(() => import('./persons/delete-property.ts')),
      'properties-timeline': view('properties-timeline'),
      split: file(() => import('./persons/split.ts')),
      'update-property': file(() => import('./persons/update-property.ts')),
      cohorts: view('cohorts'),
      funnel: view('funnel'),
      'funnel-correlation': view('funnel-correlation'),
      lifecycle: view('lifecycle'),
      path: view('path'),
      retention: view('retention'),
      stickiness: view('stickiness'),
      trends: view('trends'),
      values: view('values'),
      verify: file(() => import('./persons/verify.ts')),
      report: file(() => import('./persons/report.ts')),
    },
    absent: {
      create: {
        reason: "persons are created only by a client library's identify call",
        instead: 'Call identify in the client library; analytics sandbox load fills the sandbox from a file',
      },
      undo: { reason: 'persons that were deleted or split cannot be put back', instead: undone },
    },
  },
  plugins: {
    summary: "Find, install, change and delete the organization's plugins",
    commands: {
      list: file(() => import('./plugins/list.ts')),
      create: file(() => import('./plugins/create.ts')),
      get: file(() => import('./plugins/get.ts')),
      update: file(() => import('./plugins/update.ts')),
      delete: file(() => import('./plugins/delete.ts')),
      'check-for-updates': read('check-for-updates'),
      source: read('source'),
      'update-source': file(() => import('./plugins/update-source.ts')),
      upgrade: file(() => import('./plugins/upgrade.ts')),
      activity: read('activity'),
      'exports-unsubscribe-configs': read('exports-unsubscribe-configs'),
      repository: read('repository'),
      unused: read('unused'),
    },
    absent: {
      undo: {
        reason: 'no command saves the old state of a plugin',
        instead: 'analytics plugins update ID sets fields again; analytics plugins create installs a plugin again',
      },
    },
  },
  'event-definitions': {
    summary: "Find, rename, tag and delete the project's kinds of event",
    commands: {
      list: file(() => import('./event-definitions/list.ts')),
      get: file(() => import('./event-definitions/get.ts')),
      update: file(() => import('./event-definitions/update.ts')),
      delete: file(() => import('./event-definitions/delete.ts')),
    },
    absent: {
      create: {
        reason: 'the service creates an event definition when it first sees the event',
        instead: 'Send the event with a client library',
      },
      undo: { reason: 'a deleted one comes back only when its event is seen again', instead: undone },
    },
  },
  projects: {
    summary: 'Find, create, change and delete projects; settings as code',
    commands: {
      list: file(() => import('./projects/list.ts')),
      create: file(() => import('./projects/create.ts')),
      get: file(() => import('./projects/get.ts')),
      update: file(() => import('./projects/update.ts')),
      delete: file(() => import('./projects/delete.ts')),
      pull: file(() => import('./projects/pull.ts')),
      diff: file(() => import('./projects/diff.ts')),
      apply: file(() => import('./projects/apply.ts')),
    },
    absent: {
      use: notInUse,
      select: notInUse,
      switch: notInUse,
      undo: {
        reason: 'deleted projects cannot be put back',
        instead: `analytics projects apply -f FILE puts back the settings that pull wrote; ${undone}`,
      },
    },
  },
  jobs: {
    summary: 'Bulk runs: list, show, resume, undo, receipt, run, remove',
    commands: {
      list: file(() => import('./jobs/list.ts')),
      show: file(() => import('./jobs/show.ts')),
      resume: file(() => import('./jobs/resume.ts')),
      undo: file(() => import('./jobs/undo.ts')),
      receipt: file(() => import('./jobs/receipt.ts')),
      remove: file(() => import('./jobs/remove.ts')),
    },
    absent: { cancel: notStopped, stop: notStopped, kill: notStopped },
  },
  profiles: {
    summary: 'Named services, each with its key and project',
    commands: {
      add: file(() => import('./profiles/add.ts')),
      set: file(() => import('./profiles/set.ts')),
      list: file(() => import('./profiles/list.ts')),
      show: file(() => import('./profiles/show.ts')),
      use: file(() => import('./profiles/use.ts')),
      remove: file(() => import('./profiles/remove.ts')),
    },
  },
  sandbox: {
    summary: 'A working copy of the service here, with made-up data',
    commands: {
      serve: file(() => import('./sandbox/serve.ts')),
      reset: file(() => import('./sandbox/reset.ts')),
      load: file(() => import('./sandbox/load.ts')),
    },
    absent: { stop: notServed, down: notServed },
  },
  api: file(() => import('./api.ts')),
  doctor: file(() => import('./doctor.ts')),
  completion: file(() => import('./completion.ts')),
  commands: file(() => import('./commands.ts')),
  help: file(() => import('./help.ts')),
}
