/** A request and its response for each of the 44 endpoints, as a client generated from the document would use them. */
import { expect, test } from 'vitest'
import { endpoints } from '../../src/api/endpoints.ts'
import { eventDefinition, person, plugin, project, projectListItem, type Resource } from '../../src/api/resources.ts'
import { type Fact, wrongFacts } from './facts.ts'

const membersOf = (resource: Resource) => `?${Object.keys(resource).join()}`
const [P, G, E, J] = [person, plugin, eventDefinition, project].map(membersOf)
const page = '200 ?count,next,previous,results'
const groups = '200 ?results,next,previous,missing_persons results.0?people,count'
const csv = `${Object.keys(person).join()}\n55,Ada Lovelace,"[""ada"",""ada-phone"",""1815-12-10""]","{""email"":""ada@example.com"",""name"":""Ada Lovelace"",""plan"":""pro"",""country"":""GB"",""orders"":12,""newsletter"":true,""first_order"":""2026-01-12""}",2026-04-21T03:00:00.000Z,08d770aa-b62d-479d-8990-7399a316a95e\n`
const exact = '[{"key":"plan","value":"pro","operator":"exact","type":"person"}]'

const facts: Readonly<Record<string, readonly Fact[]>> = {
  'persons.list': [
    ['GET P/', `${page} count=56 results#56 next=null previous=null`],
    ['GET P/?limit=20&offset=40', `${page} results#16 next=null previous~limit=20&offset=20`],
    ['GET P/?limit=20', '200 next~/api/projects/1/persons/?limit=20&offset=20'],
    ['GET P/?limit=1', `200 results.0.id=55 results.0.name="Ada Lovelace" results.0.properties.plan="pro"`],
    ['GET P/?email=ada@example.com', '200 count=1 results.0.id=55'],
    ['GET P/?email=ADA@example.com', '200 count=0'],
    ['GET P/?distinct_id=ada-phone', '200 count=1 results.0.id=55'],
    ['GET P/?search=ADA@', '200 count=1 results.0.id=55'],
    ['GET P/?search=ada-phone', '200 count=1 results.0.id=55'],
    ['GET P/?search=email', '200 count=0'],
    [`GET P/?properties=${exact}`, '200 count=13 results.0.id=55'],
    [`GET P/?properties=${exact}&search=irene@`, '200 count=1 results.0.id=54'],
    ['GET P/?limit=0', '400 attr="limit"'],
    ['GET P/55/?format=csv', `200 text=${JSON.stringify(csv)}`],
    ['GET P/?format=xml', '400 attr="format"'],
  ],
  'persons.get': [
    ['GET P/55/', `200 ${P} id=55 distinct_ids#3`],
    ['GET P/999/', '404 code="not_found"'],
    ['GET P/999999999999999999999/', '404 code="not_found"'],
    ['GET P/31/', '200 properties.beyond=null'],
  ],
  'persons.update': [
    ['PATCH P/2/ {"properties":{"plan":"trial","n":1}}', `200 ${P} properties.plan="trial" properties.country="CZ"`],
    ['PATCH P/2/ {"properties":[]}', '400 attr="properties"'],
    ['PATCH P/2/ {"name":"x"}', '400 attr="name"'],
    ['PATCH P/2/ {', '400 code="parse_error"'],
    ['PATCH P/2/ []', '400 code="invalid_input"'],
  ],
  'persons.delete': [
    ['DELETE P/1/', '204 empty'],
    ['DELETE P/1/', '404 code="not_found"'],
    ['DELETE P/3/?delete_events=true', '204 empty'],
  ],
  'persons.activity': [
    ['GET P/55/activity/?limit=1', '200 ?results,next,previous,total_count results.0.item_id="55" total_count=2'],
    ['GET P/55/activity/', '200 results.0?user,activity,scope,item_id,detail,created_at'],
  ],
  'persons.deleteProperty': [['POST P/2/delete_property/?$unset=n {"properties":{}}', `200 ${P} !properties.n`]],
  'persons.propertiesTimeline': [
    [
      'GET P/55/properties_timeline/',
      '200 ?points,crucial_property_keys,effective_date_from,effective_date_to points.0?timestamp,properties,relevant_event_count',
    ],
  ],
  'persons.split': [
    ['POST P/55/split/ {"main_distinct_id":"nobody"}', '400 attr="main_distinct_id"'],
    ['POST P/55/split/ {"properties":{}}', `200 ${P} distinct_ids=["ada"] properties={}`],
  ],
  'persons.updateProperty': [
    ['POST P/2/update_property/?key=plan&value=7 {"properties":{}}', `200 ${P} properties.plan="7"`],
    ['POST P/2/update_property/ {"key":"plan","value":[1,null]}', '200 properties.plan=[1,null]'],
    ['POST P/2/update_property/?key=plan {}', '400 attr="value"'],
  ],
  'persons.allActivity': [['GET P/activity/', '200 results.0.scope="Person"']],
  'persons.cohorts': [
    ['GET P/cohorts/?person_id=54', '200 results=[{"id":1,"name":"Pro readers","count":11}]'],
    ['GET P/cohorts/', '400 attr="person_id"'],
  ],
  'persons.funnel': [['GET P/funnel/', groups]],
  'persons.funnelPost': [['POST P/funnel/ {"properties":{}}', groups]],
  'persons.funnelCorrelation': [['GET P/funnel/correlation/', groups]],
  'persons.funnelCorrelationPost': [['POST P/funnel/correlation/ {"properties":{}}', groups]],
  'persons.lifecycle': [['GET P/lifecycle/', groups]],
  'persons.path': [['GET P/path/', groups]],
  'persons.pathPost': [['POST P/path/ {"properties":{}}', groups]],
  'persons.retention': [
    ['GET P/retention/', '200 ?result,next,previous,missing_persons result.0?person,appearances'],
    ['GET P/retention/?format=csv&limit=0', '400 attr="limit"'],
    ['GET P/retention/?format=csv&offset=9999', '200 text="\\n"'],
  ],
  'persons.stickiness': [['GET P/stickiness/', groups]],
  'persons.trends': [['GET P/trends/', groups]],
  'persons.values': [
    ['GET P/values/', '200 text="[]"'],
    ['GET P/values/?key=plan', '200 0={"name":"free","count":23}'],
  ],
  'plugins.list': [['GET G/?limit=2&offset=2', `${page} count=5 results#2 results.0.id=3`]],
  'plugins.create': [
    ['POST G/ {"name":"Tidy","plugin_type":"source"}', `201 ${G} id=6 name="Tidy" is_global=false`],
    ['POST G/ {"plugin_type":"sauce"}', '400 attr="plugin_type"'],
  ],
  'plugins.get': [['GET G/6/', `200 ${G} id=6`]],
  'plugins.update': [['PATCH G/6/ {"description":"x","is_global":true}', `200 ${G} description="x" is_global=true`]],
  'plugins.delete': [['DELETE G/1/', '204 empty']],
  'plugins.checkForUpdates': [['GET G/4/check_for_updates/', `200 ${G} id=4 latest_tag="0.5.2"`]],
  'plugins.source': [['GET G/5/source/', `200 ${G} id=5`]],
  'plugins.updateSource': [['PATCH G/5/update_source/ {"name":"Tags"}', `200 ${G} name="Tags"`]],
  'plugins.upgrade': [['POST G/4/upgrade/ {}', `200 ${G} tag="0.5.2"`]],
  'plugins.activity': [['GET G/activity/', '200 results.0.scope="Plugin"']],
  'plugins.exportsUnsubscribeConfigs': [['GET G/exports_unsubscribe_configs/', `200 ${G}`]],
  'plugins.repository': [['GET G/repository/', `200 ${G}`]],
  'plugins.unused': [['GET G/unused/', `200 ${G}`]],
  'eventDefinitions.list': [['GET E/?limit=5', `${page} count=12 results#5`]],
  'eventDefinitions.get': [
    ['GET E/:event/', `200 ${E} name="order placed" created_by.first_name="Nora"`],
    ['GET E/nothing/', '404 code="not_found"'],
  ],
  'eventDefinitions.update': [
    ['PATCH E/:event/ {"name":"placed","tags":["A"],"post_to_slack":true}', `200 ${E} name="placed" tags=["A"]`],
    ['PATCH E/:event/ {"tags":"A"}', '400 attr="tags"'],
  ],
  'eventDefinitions.delete': [['DELETE E/:event/', '204 empty']],
  'projects.list': [['GET J/', `${page} count=2 results.0.id=2`]],
  'projects.create': [
    ['POST J/ {"name":"Third","timezone":"Asia/Tokyo"}', `201 ${J} id=3 name="Third" timezone="Asia/Tokyo"`],
    ['POST J/ {"timezone":"Asia/Tokio"}', '400 attr="timezone"'],
    ['GET J/3/', `200 id=3`],
  ],
  'projects.get': [
    ['GET J/1/', `200 ${J} id=1 name="Juniper & Quill Books"`],
    ['GET J/@current/', '200 id=1'],
    ['GET J/99/', '404 code="not_found"'],
    ['GET /api/projects/99/persons/', '404 code="not_found"'],
  ],
  'projects.update': [
    [
      'PATCH J/1/ {"week_start_day":0,"extra_settings":{"a":[1]}}',
      `200 ${J} week_start_day=0 extra_settings={"a":[1]}`,
    ],
    ['PATCH J/1/ {"week_start_day":3}', '400 attr="week_start_day"'],
    ['PATCH J/1/ {"name":null}', '400 attr="name"'],
  ],
  'projects.delete': [
    ['DELETE J/2/', '204 empty'],
    ['GET /api/projects/2/persons/', '404 code="not_found"'],
  ],
}

test('the table holds every endpoint once', () => {
  const all = Object.entries(endpoints).flatMap(([group, own]) => Object.keys(own).map(name => `${group}.${name}`))
  expect(all).toHaveLength(44)
  expect(Object.keys(facts)).toEqual(all)
})

test.each(['in process', 'over HTTP'] as const)('each endpoint responds as documented, %s', async through => {
  expect(await wrongFacts(Object.values(facts).flat(), 'documented', through)).toEqual([])
})

test('a list of projects has the fields of its items', async () => {
  const items: Fact = ['GET J/?limit=1', `200 results.0${membersOf(projectListItem)}`]
  expect(await wrongFacts([items], 'documented', 'in process')).toEqual([])
})

test.each([
  ['GET', '/api/nothing/', 404],
  ['GET', '/api/projects', 404],
  ['PUT', '/api/projects/1/', 405],
  ['POST', '/api/projects/1/persons/', 405],
])('the unknown endpoint %s %s returns %i', async (method, path, status) => {
  expect(await wrongFacts([[`${method} ${path} {}`, String(status)]], 'documented', 'in process')).toEqual([])
})
