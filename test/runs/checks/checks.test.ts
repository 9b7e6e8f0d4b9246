/** The checks of a run, as the rows that they are. */
import { expect, test } from 'vitest'
import { checks } from '../../../src/runs/checks/checks.ts'

test('the checks stand in the order of the contract: usage, project and key, safety and limits, terminal, then counts', () => {
  expect(checks.map(({ stage, name }) => `${stage}: ${name}`)).toEqual([
    'typed: the job to resume',
    'typed: files',
    'chosen: @current among several projects',
    'chosen: --yes for an unknown number',
    'connected: a date in the future',
    'connected: project or organization',
    'connected: secrets in what is kept',
    'connected: safety level, limits and guards',
    'connected: a backup that the profile requires',
    'connected: a question that nobody can answer',
    'resolved: persons for --batch that the service names by number',
    'resolved: limits, with the number that was found',
    'resolved: --expect, --max, and what the command line names',
    'resolved: names of --all-but that nobody has',
  ])
})

test('the stages come one after the other, as more is known', () => {
  const stages = checks.map(({ stage }) => stage)
  expect([...new Set(stages)]).toEqual(['typed', 'chosen', 'connected', 'resolved'])
  expect(stages).toEqual([...stages].sort((a, b) => [...new Set(stages)].indexOf(a) - [...new Set(stages)].indexOf(b)))
})
