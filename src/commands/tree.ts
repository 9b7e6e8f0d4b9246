/** Every command word and its file; only the command that runs is loaded. */
import type { Tree } from '../cli/tree.ts'

const notInUse = {
  reason: 'the project in use is a setting',
  instead: 'Give --project ID or ANALYTICS_PROJECT, or keep it: analytics profiles set NAME --project ID',
}

const notStopped = {
  reason: 'a run is stopped where it runs, with Ctrl-C',
  instead: 'analytics jobs resume goes on with it later; analytics jobs remove forgets it',
}

const notServed = {
  reason: 'analytics sandbox serve is stopped where it runs, with Ctrl-C',
  instead: 'analytics sandbox reset starts afresh',
}

const undone = 'analytics jobs undo JOB --backup FILE puts back what an update changed'

export const tree: Tree = {
  persons: {
    summary: 'Find, read, change and delete persons',
    commands: {
      list: () => import('./persons/list.ts').then(file => file.default),
      get: () => import('./persons/get.ts').then(file => file.default),
      update: () => import('./persons/update.ts').then(file => file.default),
      delete: () => import('./persons/delete.ts').then(file => file.default),
      activity: () => import('./persons/views.ts').then(file => file.personActivity),
      'delete-property': () => import('./persons/delete-property.ts').then(file => file.default),
      'properties-timeline': () => import('./persons/views.ts').then(file => file.propertiesTimeline),
      split: () => import('./persons/split.ts').then(file => file.default),
      'update-property': () => import('./persons/update-property.ts').then(file => file.default),
      cohorts: () => import('./persons/views.ts').then(file => file.cohorts),
      funnel: () => import('./persons/views.ts').then(file => file.funnel),
      'funnel-correlation': () => import('./persons/views.ts').then(file => file.funnelCorrelation),
      lifecycle: () => import('./persons/views.ts').then(file => file.lifecycle),
      path: () => import('./persons/views.ts').then(file => file.path),
      retention: () => import('./persons/views.ts').then(file => file.retention),
      stickiness: () => import('./persons/views.ts').then(file => file.stickiness),
      trends: () => import('./persons/views.ts').then(file => file.trends),
      values: () => import('./persons/views.ts').then(file => file.values),
      verify: () => import('./persons/verify.ts').then(file => file.default),
      report: () => import('./persons/report.ts').then(file => file.default),
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
      list: () => import('./plugins/list.ts').then(file => file.default),
      create: () => import('./plugins/create.ts').then(file => file.default),
      get: () => import('./plugins/get.ts').then(file => file.default),
      update: () => import('./plugins/update.ts').then(file => file.default),
      delete: () => import('./plugins/delete.ts').then(file => file.default),
      'check-for-updates': () => import('./plugins/check-for-updates.ts').then(file => file.default),
      source: () => import('./plugins/reads.ts').then(file => file.source),
      'update-source': () => import('./plugins/update-source.ts').then(file => file.default),
      upgrade: () => import('./plugins/upgrade.ts').then(file => file.default),
      activity: () => import('./plugins/reads.ts').then(file => file.pluginActivity),
      'exports-unsubscribe-configs': () => import('./plugins/reads.ts').then(file => file.exportsUnsubscribeConfigs),
      repository: () => import('./plugins/reads.ts').then(file => file.repository),
      unused: () => import('./plugins/unused.ts').then(file => file.default),
    },
    absent: {
      undo: {
        reason: 'no command keeps what a plugin was',
        instead: 'analytics plugins update ID sets fields again; analytics plugins create installs a plugin again',
      },
    },
  },
  'event-definitions': {
    summary: "Find, rename, tag and delete the project's kinds of event",
    commands: {
      list: () => import('./event-definitions/list.ts').then(file => file.default),
      get: () => import('./event-definitions/get.ts').then(file => file.default),
      update: () => import('./event-definitions/update.ts').then(file => file.default),
      delete: () => import('./event-definitions/delete.ts').then(file => file.default),
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
      list: () => import('./projects/list.ts').then(file => file.default),
      create: () => import('./projects/create.ts').then(file => file.default),
      get: () => import('./projects/get.ts').then(file => file.default),
      update: () => import('./projects/update.ts').then(file => file.default),
      delete: () => import('./projects/delete.ts').then(file => file.default),
      pull: () => import('./projects/pull.ts').then(file => file.default),
      diff: () => import('./projects/diff.ts').then(file => file.default),
      apply: () => import('./projects/apply.ts').then(file => file.default),
    },
    absent: {
      use: notInUse,
      select: notInUse,
      switch: notInUse,
      undo: {
        reason: 'deleted projects cannot be put back',
        instead: `analytics projects apply ID -f FILE puts back what apply --previous saved; ${undone}`,
      },
    },
  },
  jobs: {
    summary: 'Bulk runs: list, show, resume, undo, receipt, run, remove',
    commands: {
      list: () => import('./jobs/list.ts').then(file => file.default),
      show: () => import('./jobs/show.ts').then(file => file.default),
      resume: () => import('./jobs/resume.ts').then(file => file.default),
      undo: () => import('./jobs/undo.ts').then(file => file.default),
      receipt: () => import('./jobs/receipt.ts').then(file => file.default),
      run: () => import('./jobs/run.ts').then(file => file.default),
      remove: () => import('./jobs/remove.ts').then(file => file.default),
    },
    absent: { cancel: notStopped, stop: notStopped, kill: notStopped },
  },
  profiles: {
    summary: 'Named services, each with its key and project',
    commands: {
      add: () => import('./profiles/add.ts').then(file => file.default),
      set: () => import('./profiles/set.ts').then(file => file.default),
      list: () => import('./profiles/list.ts').then(file => file.default),
      show: () => import('./profiles/show.ts').then(file => file.default),
      use: () => import('./profiles/use.ts').then(file => file.default),
      remove: () => import('./profiles/remove.ts').then(file => file.default),
    },
  },
  sandbox: {
    summary: 'A working copy of the service here, with made-up data',
    commands: {
      serve: () => import('./sandbox/serve.ts').then(file => file.default),
      reset: () => import('./sandbox/reset.ts').then(file => file.default),
      clock: () => import('./sandbox/clock.ts').then(file => file.default),
      load: () => import('./sandbox/load.ts').then(file => file.default),
      exec: () => import('./sandbox/exec.ts').then(file => file.default),
    },
    absent: { stop: notServed, down: notServed },
  },
  api: () => import('./api.ts').then(file => file.default),
  doctor: () => import('./doctor.ts').then(file => file.default),
  completion: () => import('./completion.ts').then(file => file.default),
  commands: () => import('./commands.ts').then(file => file.default),
  help: () => import('./help.ts').then(file => file.default),
}
