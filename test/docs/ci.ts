/**
 * A workflow of GitHub Actions on this machine: each job in an empty folder, its shell steps in their order, its artifacts
 * copied as that service copies them (no hidden files, no modes). Actions that fetch or install something do nothing.
 */
import { spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { type Env, machine } from '../process/program.ts'

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
  readonly if?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly if?: string
  readonly needs?: string
  readonly env?: Env
  readonly strategy?: { readonly 'max-parallel': number; readonly matrix: Readonly<Record<string, readonly unknown[]>> }
  readonly steps: readonly Step[]
}

export interface Workflow {
  readonly on: unknown
  readonly env?: Env
  readonly jobs: Readonly<Record<string, Job>>
}

export interface CiOptions {
  readonly event: string
  /** The files of the repository. */
  readonly checkout: string
  /** The folder of the program. */
  readonly path: string
  /** Takes the place of what the workflow says. */
  readonly env: Env
}

export interface Ran {
  readonly job: string
  readonly step: string
  readonly code: number | null
  readonly stderr: string
}

export class Ci {
  readonly folder = mkdtempSync(join(tmpdir(), 'analytics-ci-'))
  readonly ran: Ran[] = []

  readonly workflow: Workflow
  readonly options: CiOptions

  constructor(workflow: Workflow, options: CiOptions) {
    this.workflow = workflow
    this.options = options
  }

  /** Every job for the event, as often as its matrix says. Resolves with whether all of them succeeded. */
  async run(): Promise<boolean> {
    for (const [name, job] of Object.entries(this.workflow.jobs)) {
      if (job.if !== undefined && job.if !== `github.event_name == '${this.options.event}'`) continue
      for (const _ of Object.values(job.strategy?.matrix ?? { once: [1] }).flat()) {
        if (!(await this.runJob(name, job))) return false
      }
    }
    return true
  }

  artifact(name: string): string {
    return join(this.folder, 'artifacts', name)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  private async runJob(name: string, job: Job): Promise<boolean> {
    const workspace = mkdtempSync(join(this.folder, `${name}-`))
    cpSync(this.options.checkout, workspace, { recursive: true })
    let good = true
    for (const step of job.steps) {
      if (!good && step.if !== 'always()') continue
      if (step.run !== undefined) good = (await this.runShell(name, job, step, workspace)) && good
      else this.use(step, workspace)
    }
    return good
  }

  private async runShell(name: string, job: Job, step: Step, workspace: string): Promise<boolean> {
    // What installs the program needs a network.
    if (step.run?.startsWith('npm ci')) return true
    const set = { ...this.workflow.env, ...job.env }
    const env = Object.fromEntries(
      Object.entries(set).map(([key, value]) => [
        key,
        String(value).replace(/\$\{\{ github\.workspace \}\}/, workspace),
      ]),
    )
    const child = spawn('bash', ['-e', '-c', step.run ?? ''], {
      cwd: workspace,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...env,
        ...this.options.env,
        ...machine,
        PATH: [this.options.path, machine.PATH].join(delimiter),
        HOME: join(this.folder, 'home'),
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_STEP_SUMMARY: join(workspace, 'summary.md'),
      },
    })
    let stderr = ''
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    const code = await new Promise<number | null>(resolve => child.once('close', resolve))
    this.ran.push({ job: name, step: step.name ?? '', code, stderr })
    return code === 0
  }

  private use({ uses = '', with: given }: Step, workspace: string): void {
    const [action] = uses.split('@')
    const { name, path, overwrite } = { name: '', path: '', overwrite: false, ...given }
    if (action === 'actions/upload-artifact') this.upload(workspace, path, this.artifact(name), overwrite)
    else if (action === 'actions/download-artifact') {
      cpSync(this.artifact(name), join(workspace, path), { recursive: true })
      loseModes(join(workspace, path))
    } else if (!['actions/checkout', 'actions/setup-node'].includes(action ?? '')) throw new Error(`What is ${uses}?`)
  }

  private upload(workspace: string, path: string, to: string, overwrite: boolean): void {
    if (existsSync(to) && !overwrite) throw new Error(`The artifact ${to} is there already`)
    rmSync(to, { recursive: true, force: true })
    mkdirSync(to, { recursive: true })
    const isVisible = (file: string) => !basename(file).startsWith('.')
    const from = existsSync(join(workspace, path)) ? join(workspace, path) : workspace
    const chosen = from === workspace ? new RegExp(`^${path.replace('.', '\\.').replace('*', '.*')}$`) : /^/
    for (const file of readdirSync(from).filter(name => chosen.test(name) && isVisible(name))) {
      cpSync(join(from, file), join(to, file), { recursive: true, filter: isVisible })
    }
  }
}

function loseModes(path: string): void {
  const isFolder = statSync(path).isDirectory()
  chmodSync(path, isFolder ? 0o755 : 0o644)
  if (isFolder) for (const name of readdirSync(path)) loseModes(join(path, name))
}
