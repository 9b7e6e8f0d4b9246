import { expect, test } from 'vitest'
import { eventDefinition, person, plugin, project, projectListItem } from '../../../src/api/resources.ts'
import { settings } from '../../../src/config/settings.ts'
import { rendererOf } from '../../../src/output/renderers/render.ts'
import { views } from '../../../src/output/views.ts'
import { formats } from '../../../src/values/formats.ts'

test('every format that can be asked for has a renderer', async () => {
  expect(formats).toEqual(settings.output.kind.choices)
  for (const format of formats) expect(await rendererOf(format)).toBeTypeOf('function')
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
