/** Whether this machine has `ssh-keygen`: tests of signatures are skipped where it has not. */
import { spawnSync } from 'node:child_process'

export const hasKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined
