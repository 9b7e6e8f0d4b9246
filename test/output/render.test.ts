import { expect, test } from 'vitest'
import { eventDefinition, person, plugin, project, projectListItem } from '../../src/api/resources.ts'
import { type Format, rendererOf } from '../../src/output/render.ts'
import { views } from '../../src/output/views.ts'
import { settings } from '../../src/profiles/settings.ts'

test('every format that can be asked for has a renderer', async () => {
  for (const format of settings.output.kind.choices as readonly Format[])
    expect(await rendererOf(format)).toBeTypeOf('function')
})

test.each([
  [views.person, person],
  [views.plugin, plugin],
  [views.eventDefinition, eventDefinition],
  [views.projectListItem, projectListItem],
  [views.project, project],
])('a view shows documented fields only', (view, resource) => {
  const fields = Object.keys(resource.fields)
  expect(view.fields).toEqual(fields)
  for (const column of view.columns) expect(fields).toContain(column.split('.')[0])
  expect(fields).toContain(view.id)
})
