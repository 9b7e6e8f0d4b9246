import { describe, expect, test } from 'vitest'
import { readMembers } from '../../src/sandbox/members.ts'
import { type Visit, visit } from './visit.ts'

const plugins = '/api/organizations/@current/plugins/'

async function orderOf({ get }: Visit): Promise<string> {
  const { results } = await get('/api/projects/1/event_definitions/')
  return `/api/projects/1/event_definitions/${results.find(({ name }) => name === 'order placed')?.id}/`
}

describe('projects', () => {
  test('take the fields that may be written, exactly', async () => {
    const { ask } = await visit()
    const body =
      '{"extra_settings":{"limit":9007199254740993,"rate":1.0},"timezone":"US/Eastern","primary_dashboard":9007199254740993}'
    const { status, text } = await ask('PATCH', '/api/projects/1/', body)
    expect(status).toBe(200)
    expect(readMembers(text).get('extra_settings')).toBe('{"limit":9007199254740993,"rate":1.0}')
    expect(readMembers(text).get('timezone')).toBe('"US/Eastern"')
    expect((await ask('GET', '/api/projects/1/')).text).toBe(text)
  })

  test.each([
    ['{"timezone":"Europe/Atlantis"}', 'timezone'],
    ['{"week_start_day":2}', 'week_start_day'],
    ['{"week_start_day":1.0}', 'week_start_day'],
    ['{"anonymize_ips":"perhaps"}', 'anonymize_ips'],
    ['{"app_urls":"https://example.com"}', 'app_urls'],
    ['{"name":null}', 'name'],
    ['{"name":""}', 'name'],
  ])('refuse %s in both dialects', async (body, attr) => {
    for (const dialect of ['documented', 'observed'] as const) {
      const { ask } = await visit({ dialect })
      const answer = await ask('PATCH', '/api/projects/1/', body)
      expect([answer.status, answer.json.attr]).toEqual([400, attr])
    }
  })

  test.each([
    ['{"name":"New","id":7}', 'id'],
    ['{"name":"New","ingested_event":false}', 'ingested_event'],
    ['{"name":"New","colour":"red"}', 'colour'],
    ['{"name":"New","constructor":1}', 'constructor'],
  ])('refuse %s as documented, and ignore a part of it as observed', async (body, attr) => {
    const documented = await visit()
    expect((await documented.ask('PATCH', '/api/projects/1/', body)).json).toMatchObject({ attr })
    expect(await documented.get('/api/projects/1/')).toMatchObject({ name: 'Juniper & Quill Books' })
    const observed = await visit({ dialect: 'observed' })
    const { status, json } = await observed.ask('PATCH', '/api/projects/1/', body)
    expect([status, json]).toMatchObject([200, { id: 1, name: 'New', ingested_event: true }])
    expect(json).not.toHaveProperty('colour')
  })

  test('write a sample rate their own way in the observed dialect', async () => {
    const rate = '{"session_recording_sample_rate":"0.5"}'
    const documented = await visit()
    expect((await documented.ask('PATCH', '/api/projects/1/', rate)).text).toContain('_sample_rate":"0.5",')
    const observed = await visit({ dialect: 'observed' })
    expect((await observed.ask('PATCH', '/api/projects/1/', rate)).text).toContain('_sample_rate":"0.50",')
  })

  test('are made with defaults, and deleted with all that lies in them', async () => {
    const { ask, get } = await visit()
    const { status, json } = await ask('POST', '/api/projects/', '{"name":"Third","week_start_day":1}')
    expect([status, json]).toMatchObject([201, { id: 3, name: 'Third', week_start_day: 1, timezone: 'UTC' }])
    await ask('DELETE', '/api/projects/2/')
    expect((await ask('GET', '/api/projects/2/persons/')).status).toBe(404)
    expect((await get('/api/projects/')).results.map(({ id }) => id)).toEqual([3, 1])
    expect((await get('/api/projects/1/persons/')).count).toBe(55)
    // An id is never used again.
    await ask('DELETE', '/api/projects/3/')
    expect((await ask('POST', '/api/projects/')).json.id).toBe(4)
  })

  test('show a part of themselves in a list', async () => {
    const { get } = await visit()
    const { results } = await get('/api/projects/')
    expect(Object.keys(results[0] ?? {}).join(' ')).toBe(
      'id uuid organization api_token name completed_snippet_onboarding has_completed_onboarding_for ingested_event ' +
        'is_demo timezone access_control',
    )
  })
})

describe('event definitions', () => {
  test('are changed as documented', async () => {
    const here = await visit()
    const body = '{"name":"order sent","created_at":"2026-02-03T04:05:06Z","tags":["New","Sale"],"post_to_slack":true}'
    const { status, json } = await here.ask('PATCH', await orderOf(here), body)
    expect([status, json]).toMatchObject([
      200,
      {
        name: 'order sent',
        created_at: '2026-02-03T04:05:06Z',
        tags: ['New', 'Sale'],
        post_to_slack: true,
        last_updated_at: '2026-05-15T12:00:00.000Z',
        is_action: 'false',
        created_by: { id: 1, email: 'nora@example.com', is_email_verified: true },
      },
    ])
  })

  test('keep name and times in the observed dialect, and lower-case their tags', async () => {
    const here = await visit({ dialect: 'observed' })
    const body = '{"name":"order sent","created_at":"2026-02-03T04:05:06Z","last_seen_at":null,"tags":["Sale","sale"]}'
    const { status, json } = await here.ask('PATCH', await orderOf(here), body)
    expect([status, json]).toMatchObject([
      200,
      { name: 'order placed', created_at: '2026-01-05T14:00:00.000Z', tags: ['sale'], is_action: false },
    ])
    expect(json).not.toMatchObject({ last_seen_at: null })
  })

  test.each(['{"tags":"sale"}', '{"tags":[1]}', '{"tags":null}'])('refuse %s', async body => {
    const here = await visit()
    expect((await here.ask('PATCH', await orderOf(here), body)).json).toMatchObject({ attr: 'tags' })
  })

  test('in the observed dialect break over an id that is none', async () => {
    const { ask } = await visit({ dialect: 'observed' })
    expect((await ask('GET', '/api/projects/1/event_definitions/order/')).status).toBe(500)
    expect((await ask('GET', '/api/projects/1/event_definitions/0190f3c2-0000-4000-8000-000000000000/')).status).toBe(
      404,
    )
  })
})

describe('plugins', () => {
  test('are made, changed and deleted', async () => {
    const { ask } = await visit()
    const made = await ask('POST', plugins, '{"name":"Stock","plugin_type":"custom","config_schema":{"n":1.0}}')
    expect(made).toMatchObject({
      status: 201,
      json: { id: 6, name: 'Stock', organization_name: 'Juniper & Quill Books' },
    })
    expect(made.text).toContain('"config_schema":{"n":1.0}')
    expect((await ask('PATCH', `${plugins}6/`, '{"name":null}')).json.name).toBeNull()
    expect((await ask('PATCH', `${plugins}6/`, '{"plugin_type":"other"}')).json.attr).toBe('plugin_type')
    expect((await ask('PATCH', `${plugins}6/`, '{"metrics":{},"latest_tag":"2"}')).json.attr).toBe('latest_tag')
    expect((await ask('DELETE', `${plugins}6/`)).status).toBe(204)
    expect((await ask('DELETE', `${plugins}6/`)).status).toBe(404)
  })

  test('in the observed dialect come from an address, or are written here', async () => {
    const { ask } = await visit({ dialect: 'observed' })
    expect((await ask('POST', plugins, '{"name":"x"}')).json).toMatchObject({ attr: 'url' })
    const { json } = await ask('POST', plugins, '{"url":"https://git.example.com/quill/stock-keeper"}')
    expect(json).toMatchObject({ name: 'stock-keeper', plugin_type: 'custom', is_global: false, icon: null })
  })

  test('are upgraded to their latest version', async () => {
    const { ask } = await visit()
    expect((await ask('POST', `${plugins}2/upgrade/`, '{}')).json).toMatchObject({ tag: '1.3.0', latest_tag: '1.3.0' })
  })

  test('have files in the observed dialect: null deletes one, others stay', async () => {
    const { ask, get } = await visit({ dialect: 'observed' })
    const { status, json } = await ask('PATCH', `${plugins}5/update_source/`, '{"index.ts":null,"site.ts":"1\\n"}')
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['plugin.json', 'site.ts'])
    expect(await get(`${plugins}5/source/`)).toEqual(json)
    expect((await ask('PATCH', `${plugins}5/update_source/`, '{"site.ts":1}')).json).toMatchObject({ attr: 'site.ts' })
  })

  test('have source fields as documented, and no files', async () => {
    const { ask } = await visit()
    expect((await ask('PATCH', `${plugins}5/update_source/`, '{"tag":"7"}')).json).toMatchObject({ id: 5, tag: '7' })
    expect((await ask('PATCH', `${plugins}5/update_source/`, '{"index.ts":""}')).json).toMatchObject({
      attr: 'index.ts',
    })
  })

  test('keep a log in the observed dialect', async () => {
    const { ask, get } = await visit({ dialect: 'observed' })
    await ask('DELETE', `${plugins}2/`)
    const { results } = await get(`${plugins}activity/?page=1&limit=1`)
    expect(results).toMatchObject([
      { activity: 'uninstalled', scope: 'Plugin', item_id: '2', detail: { name: 'Basket Watcher' } },
    ])
    expect(await get(`${plugins}unused/`)).toEqual([5, 1])
  })

  test('and its pages lead to each other by their number, to the end', async () => {
    const { get } = await visit({ dialect: 'observed' })
    const all = await get('/api/projects/1/persons/activity/?limit=100')
    const found: unknown[] = []
    let query: string | null = '?limit=2'
    for (let number = 2; query !== null; number++) {
      const { results, next } = await get(`/api/projects/1/persons/activity/${query}`)
      found.push(...results)
      query = next === null ? null : new URL(next, 'http://127.0.0.1').search
      expect(query ?? '?limit=2&page=end').toMatch(/^\?limit=2&page=(\d+|end)$/)
      if (query !== null) expect(query).toContain(`page=${number}`)
    }
    expect(found.length).toBeGreaterThan(2)
    expect(found).toEqual(all.results)
  })
})

describe('views in the observed dialect', () => {
  const persons = '/api/projects/1/persons/'

  test('values wants a key, and counts', async () => {
    const { ask, get } = await visit({ dialect: 'observed' })
    expect((await ask('GET', `${persons}values/`)).text).toBe('[]')
    expect(await get(`${persons}values/?key=plan`)).toEqual([
      { name: 'free', count: 24 },
      { name: 'pro', count: 13 },
      { name: 'library', count: 6 },
    ])
    expect((await ask('GET', `${persons}values/?key=loyalty_number`)).text).toBe(
      '[{"name":9007199254740993,"count":1}]',
    )
  })

  test('cohorts wants a person', async () => {
    const { ask, get } = await visit({ dialect: 'observed' })
    expect((await ask('GET', `${persons}cohorts/`)).json).toMatchObject({ attr: 'person_id' })
    expect((await ask('GET', `${persons}cohorts/?person_id=999`)).status).toBe(404)
    expect((await get(`${persons}cohorts/?person_id=55`)).results).toHaveLength(1)
  })

  test('a question that is no JSON object is refused', async () => {
    const { ask } = await visit({ dialect: 'observed' })
    expect((await ask('POST', `${persons}funnel/`, '{')).json).toMatchObject({ code: 'parse_error' })
    expect((await ask('POST', `${persons}path/`, '[]')).json).toMatchObject({ code: 'invalid_input' })
  })

  test('an empty project has nothing to show', async () => {
    const observed = await visit({ dialect: 'observed' })
    await observed.ask('POST', '/api/projects/', '{}')
    expect(await observed.get('/api/projects/3/persons/trends/')).toMatchObject({ results: [], next: null })
    const documented = await visit({ folder: observed.folder })
    expect(await documented.get('/api/projects/3/persons/funnel/')).toEqual({})
  })
})
