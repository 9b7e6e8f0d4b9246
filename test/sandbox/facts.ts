/**
 * What the sandbox answers to a request, one row each: in the documented dialect and in the observed one. Rows follow each
 * other on one sandbox, so a row may build on those above it.
 *
 * A request is `METHOD path body`; `P/` stands for the first project's persons, `E/` for its event definitions, `G/` for
 * the plugins, `J/` for the projects, `:event` for the id of one event definition. An answer is a status and conditions:
 * `path=JSON` (a value), `path~text` (holds the text), `path#n` (length of a list), `path?names` (has exactly these
 * members), `!path` (is not there).
 */
export interface SandboxFact {
  readonly request: string
  readonly documented: string
  readonly observed: string
  /** Where the row does not say it by itself. */
  readonly why?: string | undefined
  /** The paragraph of the project's notes on servers that the row follows. */
  readonly source: string
}

type Row = Omit<SandboxFact, 'source'>

const from = (source: string, rows: readonly Row[]): readonly SandboxFact[] => rows.map(row => ({ ...row, source }))

/** The same in both dialects. */
const both = (request: string, answer: string, why?: string): Row => ({
  request,
  documented: answer,
  observed: answer,
  why,
})

const fact = (request: string, documented: string, observed: string, why?: string): Row => ({
  request,
  documented,
  observed,
  why,
})

const person = 'id,name,distinct_ids,properties,created_at,uuid'
const listed =
  'type,id,uuid,created_at,properties,is_identified,name,distinct_ids,matched_recordings,value_at_data_point'
const definition =
  'id,name,created_at,last_seen_at,last_updated_at,tags,is_action,action_id,is_calculating,last_calculated_at,created_by,post_to_slack'
const plugin =
  'id,plugin_type,name,description,url,icon,config_schema,tag,latest_tag,is_global,organization_id,organization_name,capabilities,metrics,public_jobs'
const migration = 'hog_function_migration_available'
const commit = '8f5bbf99bcb34d3a8173e331236b51b3'
const log = 'results,next,previous,total_count'
const groups = 'results,next,previous,missing_persons'
const cached = 'results,next,initial,missing_persons,is_cached,last_refresh'
const ada = '08d770aa-b62d-479d-8990-7399a316a95e'

const nobody = '0190f3c2-0000-4000-8000-000000000000'

const json = (value: unknown) => JSON.stringify(value)
const filter = (value: unknown) => encodeURIComponent(json(value))
const setting = (field: string, value: unknown) => `PATCH J/2/ ${json({ [field]: value })}`
const flag = 'session_recording_linked_flag'
const payload = 'session_recording_network_payload_capture_config'
const minimum = 'session_recording_minimum_duration_milliseconds'
const ignored = 'autocapture_exceptions_errors_to_ignore'
const webhook = 'slack_incoming_webhook'
const rate = 'session_recording_sample_rate'
const refusedLimit = '400 attr="limit" code="invalid_input"'
const refused = (attr: string, code = 'invalid_input') =>
  `400 ?type,code,detail,attr type="validation_error" code="${code}" attr="${attr}"`

const dated = (operator: string, value: string) =>
  `GET P/?properties=${filter([{ key: 'first_order', value, operator, type: 'person' }])}`

export const lists: readonly SandboxFact[] = [
  ...from('Lists: no count', [
    fact('GET P/?limit=1', '200 ?count,next,previous,results', '200 ?next,previous,results'),
  ]),
  ...from('Lists: search', [fact('GET P/?search=ada@', '200 results.0.id=55', `200 results.0.id="${ada}"`)]),
  ...from('Lists: items of persons', [
    fact('GET P/?limit=1', `200 results.0?${person}`, `200 results.0?${listed}`),
    fact('GET P/?limit=1', '200 !results.0.type', '200 results.0.type="person"'),
    fact('GET P/?limit=1', '200', '200 results.0.is_identified=true'),
    fact('GET P/?limit=1', '200', '200 results.0.matched_recordings=[]'),
    fact('GET P/?limit=1', '200', '200 results.0.value_at_data_point=null'),
  ]),
  ...from('Lists: paths and ids', [
    both('GET P/55/', `200 ?${person} id=55 uuid="${ada}"`),
    both(`GET P/${ada}/`, '200 id=55'),
    both('GET J/@current/', '200 id=1'),
    both('GET /api/projects/@current/persons/?limit=1', '200'),
    fact('GET P/ada/', '404 code="not_found"', '400 code="invalid_input" detail~personID'),
    fact('DELETE P/ada/', '404', '400 detail~personID'),
  ]),
  ...from('Errors: type, code, detail, attr', [both('GET P/999999/', '404 ?type,code,detail,attr code="not_found"')]),
  ...from('Lists: pages', [
    both('GET P/?limit=2&offset=54', '200 results#1 next=null'),
    both('GET P/', '200 results#55'),
    both('GET P/?offset=1000', '200 results#0 next=null'),
  ]),
  ...from('Lists: limit=0, and numbers that are none', [
    fact('GET P/?limit=many', '400 attr="limit"', '500 code="error"', 'what is no number breaks it'),
    fact('GET P/?offset=many', '400 attr="offset"', '500'),
    fact('GET P/?limit=-1', '400 attr="limit"', '500'),
    fact('GET P/?limit=0', refusedLimit, refused('limit', 'min_value')),
    fact('GET E/?limit=0', refusedLimit, refused('limit', 'min_value')),
    fact('GET G/?limit=0', refusedLimit, refused('limit', 'min_value')),
    fact('GET J/?limit=0', refusedLimit, refused('limit', 'min_value')),
    fact('GET E/?limit=many', '400 attr="limit"', '200 count=12'),
    fact('GET J/?offset=-1', '400 attr="offset"', '200 count=2'),
  ]),
  ...from('Lists: no count', [
    fact('GET P/?limit=1&include_total=true', '400 attr="include_total"', '200 ?next,previous,results,count count=55'),
    fact('GET P/?include_total=false&search=ada@', '400', '200 count=1', 'that include_total is there counts'),
  ]),
  ...from('Lists: filters fail open', [
    fact('GET P/?colour=red', '400 attr="colour"', '200 results#55', 'what is not understood selects everyone'),
    both('GET P/?email=ada@example.com', '200 results#1'),
    both('GET P/?email=ADA@example.com', '200 results#0'),
  ]),
  ...from('Lists: search', [
    both('GET P/?search=ADA@', '200 results#1'),
    both('GET P/?search=ada-phone', '200 results#1'),
    both('GET P/?search=ada-pho', '200 results#0', 'a distinct id is only found whole'),
    fact(`GET P/?search=${ada}`, '200 results#0', '200 results#1'),
  ]),
  ...from('Lists: filters fail open', [
    both('GET P/?distinct_id=ada', '200 results#1'),
    both('GET P/?properties=nonsense', '400 attr="properties"'),
    fact(
      `GET P/?properties=${filter([{ key: 'plan' }, 5])}`,
      '400 attr="properties"',
      '200 results#55',
      'what is not understood selects everyone',
    ),
    fact(
      `GET P/?properties=${filter([{ key: 'plan', value: 'pro', operator: 'exact' }])}`,
      '200 results#13',
      '200 results#55',
      'an entry without a type is dropped',
    ),
    both(
      `GET P/?properties=${filter([{ key: 'plan', value: 'pro', operator: 'exact', type: 'person' }])}`,
      '200 results#13',
    ),
    both(
      `GET P/?properties=${filter([{ key: 'name', value: ['Ada Lovelace', 'Grace Hopper'], operator: 'exact', type: 'person' }])}`,
      '200 results#2',
      'any value of a list',
    ),
    fact(
      `GET P/?properties=${filter([{ key: 'plan', value: [], operator: 'exact', type: 'person' }])}`,
      '400 attr="properties"',
      '200 results#55',
      'an empty list selects everyone',
    ),
    both(
      `GET P/?properties=${filter([{ key: 'orders', value: '8', operator: 'gt', type: 'person' }])}`,
      '200 results.0.properties.orders',
      'gt compares numbers, not texts',
    ),
  ]),
  ...from('Lists: pages', [both('GET P/?limit=1&offset=1', '200 results.0.name~Irene', 'newest first')]),
  ...from('Lists: filters fail open', [
    both('GET P/?properties=[]', '200 results#55'),
    fact(
      `GET P/?properties=${filter({ key: 'plan', value: 'pro', operator: 'exact', type: 'person' })}`,
      '400 attr="properties"',
      '500 code="error"',
      'an object instead of a list breaks it',
    ),
    fact('GET P/?properties=5', '400 attr="properties"', '500'),
    both('GET P/?email=', '200 results#55', 'an empty filter selects everyone'),
    both(dated('is_date_exact', '2026-01-12'), '200 results#1'),
    both(dated('is_date_after', '2026-01-11'), '200 results#1'),
    both(dated('is_date_before', '2026-01-12'), '200 results#0'),
    both(dated('is_date_before', '-30d'), '200 results#1'),
    both(dated('is_date_after', '-30d'), '200 results#0'),
    fact(
      dated('is_date_after', 'soon'),
      '400 attr="properties"',
      '200 results#55',
      'what is not understood selects everyone',
    ),
  ]),
  ...from('Lists: search', [fact('GET E/?search=ORDER', '200 count=12', '200 count=2 results#2')]),
  ...from('Plugins, event definitions, projects: fields', [
    both('GET E/?limit=5', '200 ?count,next,previous,results count=12 results#5'),
  ]),
  ...from('Lists: paths and ids', [
    fact('GET P?limit=1', '404', '200 results#1'),
    fact('GET P/55', '404', '200 id=55'),
    fact('GET J/1', '404', '200 id=1'),
  ]),
  ...from('Lists: pages', [
    both(
      'GET J/',
      '200 count=2 results.0?id,uuid,organization,api_token,name,completed_snippet_onboarding,has_completed_onboarding_for,ingested_event,is_demo,timezone,access_control',
    ),
  ]),
  ...from('Plugins, event definitions, projects: fields', [
    fact('GET G/', `200 count=5 results.0?${plugin}`, `200 count=5 results.0?${plugin},${migration}`),
    fact('GET G/5/', `200 ?${plugin}`, `200 ?${plugin},${migration}`),
    fact('GET E/?limit=1', '200 results.0.is_action="false"', '200 results.0.is_action=false'),
  ]),
  ...from('Errors: type, code, detail, attr', [
    both(`GET /api/organizations/${nobody}/plugins/`, '403 code="permission_denied"'),
    both('GET J/999/', '404 code="not_found"'),
    both('GET /api/nothing/', '404 code="not_found"'),
    fact(
      'POST P/ {}',
      '405 code="method_not_allowed" detail~POST',
      '405 code="method_not_allowed" detail~identify',
      'the answer says how persons are made',
    ),
    both('POST E/ {}', '405'),
    both('GET /api/projects/99/persons/', '404'),
  ]),
]

export const views: readonly SandboxFact[] = [
  ...from('Views: values', [
    fact('GET P/values/', `200 ?${person}`, '200 =[]'),
    fact('GET P/values/?key=plan', `200 ?${person}`, '200 0={"name":"free","count":24}'),
    fact('GET P/values/?key=plan&value=PRO', '200', '200 #1 0.name="pro"'),
  ]),
  ...from('Views: cohorts', [
    fact('GET P/cohorts/', '200', '400 attr="person_id"'),
    fact('GET P/cohorts/?person_id=55', `200 ?${person}`, '200 ?results'),
    fact('GET P/cohorts/?person_id=3', '200 id=3', '200 ?results'),
    both('GET P/cohorts/?person_id=999', '404'),
  ]),
  ...from('Views: activity', [
    fact('GET P/activity/', `200 ?${person}`, `200 ?${log}`),
    fact('GET P/activity/?limit=1', '200', '200 results.0?user,activity,scope,item_id,detail,created_at'),
    fact('GET P/activity/?limit=1', '200', '200 results.0.detail?id,changes,merge,trigger,name,short_id,type'),
    fact('GET P/activity/?limit=1', '200', '200 results.0.detail.changes.0.type="Person"'),
    fact('GET P/55/activity/?page=1&limit=2', '200', '200 results#2'),
  ]),
  ...from('Views: properties_timeline', [
    fact(
      'GET P/55/properties_timeline/',
      `200 ?${person}`,
      '200 ?points,crucial_property_keys,effective_date_from,effective_date_to',
    ),
    fact('GET P/55/properties_timeline/', '200', '200 points.0?timestamp,properties,relevant_event_count'),
  ]),
  ...from('Views: people', [
    fact('GET P/trends/', '200 ?count,next,previous,results', `200 ?${cached}`),
    fact('GET P/funnel/', `200 ?${person}`, `200 ?${cached}`),
    fact('POST P/funnel/?limit=1 {}', '200', '200 results#1 next~offset=1'),
    fact('POST P/funnel/ {}', `200 ?${person}`, `200 ?${cached}`),
    fact('GET P/funnel/correlation/', `200 ?${person}`, `200 ?${cached}`),
    fact('POST P/funnel/correlation/ {}', `200 ?${person}`, `200 ?${cached}`),
    fact('GET P/path/', `200 ?${person}`, `200 ?${cached}`),
    fact('POST P/path/ {}', `200 ?${person}`, `200 ?${cached}`),
    fact('GET P/lifecycle/', `200 ?${person}`, `200 ?${groups}`),
    fact('GET P/stickiness/', `200 ?${person}`, `200 ?${groups}`),
    fact('GET P/stickiness/?limit=1', '200', `200 results.0.people.0.id="${ada}"`),
    fact('GET P/trends/?limit=1', '200', `200 results.0.people.0?${listed}`),
  ]),
  ...from('Views: retention', [
    fact('GET P/retention/', `200 ?${person}`, '200 ?result,next,previous,missing_persons'),
    fact('GET P/retention/?limit=1', '200', `200 result.0.person.id="${ada}"`),
  ]),
  ...from('Views: people', [
    both('POST P/funnel/ [1]', '400'),
    fact('GET P/trends/?limit=1', '200', '200 results.0.count=1 initial~offset=0 is_cached=false'),
    fact('GET P/trends/?limit=abc', '400 attr="limit"', '500'),
  ]),
]

export const persons: readonly SandboxFact[] = [
  ...from('Persons, writing: PATCH', [
    fact('PATCH P/3/ {"properties":{"plan":"pro"}}', `200 ?${person} properties.plan="pro"`, '202 empty'),
    fact(
      'PATCH P/3/ {}',
      '400 code="required" attr="properties"',
      '400 code="This field is required." detail="required"',
      'code and detail are swapped',
    ),
    both('PATCH P/3/ {"properties":5}', refused('properties')),
    fact('PATCH P/3/ {"colour":1,"properties":{}}', '400 code="unknown_field"', '202'),
  ]),
  ...from('Persons, writing: key, value and $unset', [
    fact('POST P/3/update_property/ {"key":"a","value":1.0}', '200 properties.a=1', '202 empty'),
    fact(
      'POST P/3/update_property/?key=b&value=c {}',
      '200 properties.b="c"',
      '400 attr="value" code="This field is required." detail="required"',
      'read from the body; code and detail are swapped',
    ),
    fact(
      'POST P/3/update_property/ {"key":"a","value":null}',
      '400 attr="value" code="null"',
      '400 attr="value" code="This field is required." detail="required"',
      'older servers take null for missing',
    ),
    fact(
      'POST P/3/update_property/ {}',
      '400 attr="value" code="required"',
      '400 attr="value" detail="required"',
      'the value is looked for first',
    ),
    fact('POST P/3/update_property/ {"value":1}', '400 attr="key" code="required"', '400 attr="key" detail="required"'),
    fact(
      'POST P/3/update_property/ {"key":"a"}',
      '400 attr="value" code="required"',
      '400 attr="value" code="This field is required." detail="required"',
      'code and detail are swapped',
    ),
    fact('POST P/3/delete_property/ {"$unset":"plan"}', '200 !properties.plan', '201 ={"success":true}'),
    fact(
      'POST P/3/delete_property/?$unset=country {}',
      '200 !properties.country',
      '500 code="error"',
      'read from the body, where it is missing',
    ),
  ]),
  ...from('Persons, writing: split', [
    fact('POST P/55/split/ {"main_distinct_id":"ada"}', '200 distinct_ids=["ada"]', '201 ={"success":true}'),
    both('GET P/55/', '200 distinct_ids=["ada"] properties.email="ada@example.com"', 'it keeps the properties'),
    fact(
      'POST P/9/split/ {"main_distinct_id":"nobody"}',
      '400 attr="main_distinct_id"',
      '201 ={"success":true}',
      'newer servers take any text',
    ),
    fact(
      'GET P/9/',
      '200 distinct_ids=["reader-yuki"]',
      '200 distinct_ids=[] properties.name="Yuki Tanabe"',
      'all that has another name is split off',
    ),
    fact('POST P/4/split/ {}', '200 properties={}', '201 ={"success":true}'),
    fact('GET P/4/', '200 properties={}', '200 properties.name="Kwame Mensah"', 'newer servers keep the properties'),
    fact('POST P/8/split/ {"main_distinct_id":""}', '400 attr="main_distinct_id"', '201 ={"success":true}'),
    fact('POST P/8/split/ {"main_distinct_id":null}', '400 attr="main_distinct_id"', '201 ={"success":true}'),
    both('GET P/8/', '200 properties.name="Oliver Finch" distinct_ids=["reader-oliver"]'),
    fact(
      'POST P/54/split/ {"distinct_ids_to_split":["nobody"]}',
      '400 code="unknown_field"',
      refused('distinct_ids_to_split'),
    ),
    fact('POST P/54/split/ {"distinct_ids_to_split":[]}', '400', refused('distinct_ids_to_split')),
    fact('POST P/54/split/ {"distinct_ids_to_split":"a"}', '400', refused('distinct_ids_to_split')),
    fact('POST P/54/split/ {"distinct_ids_to_split":[5]}', '400', refused('distinct_ids_to_split')),
    fact(
      'POST P/37/split/ {"distinct_ids_to_split":["7"],"main_distinct_id":"reader-nested"}',
      '400',
      '400 detail~combined',
    ),
    fact('POST P/37/split/ {"distinct_ids_to_split":["7"]}', '400 code="unknown_field"', '201 ={"success":true}'),
    fact(
      'GET P/37/',
      '200 distinct_ids=["reader-nested","7"]',
      '200 distinct_ids=["reader-nested"] properties.name="Nestor Boxall"',
      'only the named ids are split off',
    ),
    fact('GET P/?distinct_id=7', '200 results.0.properties.name="Nestor Boxall"', '200 results.0.properties={}'),
  ]),
  ...from('Lists: paths and ids', [fact('PATCH P/ada/ {"properties":{}}', '404', '400 detail~personID')]),
  ...from('Persons, writing: split', [fact('POST P/ada/split/ {}', '404', '400 detail~personID')]),
  ...from('Lists: paths and ids', [fact('GET P/ada/activity/', '404', '400 detail~personID')]),
  ...from('Persons, writing: PATCH', [
    fact(`PATCH P/${ada}/ {"properties":{"n":1}}`, '200 id=55 properties.n=1', '202 empty'),
    fact(
      'PATCH P/3/ {"properties":null}',
      '400 code="required" attr="properties"',
      '400 code="This field is required." detail="required"',
      'code and detail are swapped',
    ),
  ]),
  ...from('Persons, writing: key, value and $unset', [
    fact('POST P/3/update_property/ {"key":"a","value":{"b":[1]}}', '200 properties.a={"b":[1]}', '202 empty'),
    fact('POST P/3/update_property/ form:key=a&value=b', '415', '202 empty'),
    fact('POST P/3/delete_property/ {"$unset":"not there"}', '200', '201 ={"success":true}'),
  ]),
  ...from('Persons, writing: DELETE', [
    fact(
      'DELETE P/7/?delete_events=false',
      '204 empty',
      '202 empty',
      'that delete_events is there counts, not its value',
    ),
    fact('DELETE P/5/', '204 empty', '202 empty'),
    both('GET P/5/', '404'),
    both('DELETE P/5/', '404 code="not_found"'),
    fact(
      'DELETE P/6/?delete_events=perhaps',
      '400 attr="delete_events"',
      '202',
      'that delete_events is there counts, not its value',
    ),
  ]),
  ...from('Persons, writing: format', [
    fact('GET P/1/?format=xml', '400 attr="format"', '404'),
    fact('PATCH P/3/?format=csv {"properties":{"x":1}}', '200', '500'),
    fact('GET P/999999/?format=csv', '404 code="not_found"', '404 empty'),
  ]),
  ...from('Persons, writing: PATCH', [both('PATCH P/3/ {"properties":', '400 code="parse_error"')]),
]

export const projects: readonly SandboxFact[] = [
  ...from('Plugins, event definitions, projects: text is trimmed', [
    fact(setting('name', '  Lending  '), '200 name="  Lending  "', '200 name="Lending"'),
    fact(
      setting('app_urls', [' https://a.example.com ']),
      '200 app_urls.0=" https://a.example.com "',
      '200 app_urls.0="https://a.example.com"',
    ),
    both(setting('name', ''), '400 code="blank" attr="name"'),
    fact(setting('name', '  '), '200', '400 code="blank" attr="name"'),
  ]),
  ...from('Projects: refused values', [
    fact(setting('timezone', 'Europe/Atlantis'), refused('timezone'), refused('timezone', 'invalid_choice')),
    fact(setting('timezone', { toString: false }), refused('timezone'), refused('timezone', 'invalid_choice')),
    fact(setting('timezone', ' UTC '), refused('timezone'), refused('timezone', 'invalid_choice')),
    fact(setting('timezone', 'europe/rome'), '400 detail~Europe/Rome?', '400 code="invalid_choice"'),
    both(setting('timezone', 'Asia/Tokyo'), '200 timezone="Asia/Tokyo"'),
  ]),
  ...from('Projects: unknown and read-only keys are ignored', [
    fact(setting('colour', 'red'), '400 code="unknown_field"', '200 !colour'),
    fact(setting('ingested_event', false), '400 code="read_only"', '200 ingested_event=true'),
  ]),
  ...from('Projects: sample rate', [
    fact(setting(rate, '0.5'), `200 ${rate}="0.5"`, `200 ${rate}="0.50"`),
    fact(setting(rate, 0.25), refused(rate), `200 ${rate}="0.25"`),
    fact(setting(rate, 1), refused(rate), `200 ${rate}="1.00"`),
    both(setting(rate, null), `200 ${rate}=null`),
    fact(setting(rate, '7'), '200', refused(rate)),
    fact(setting(rate, '0.125'), `200 ${rate}="0.125"`, refused(rate, 'max_decimal_places')),
    fact(setting(rate, 0.125), refused(rate), refused(rate, 'max_decimal_places')),
  ]),
  ...from('Projects: a boolean as text', [
    fact(setting('is_demo', 'true'), refused('is_demo'), '200 is_demo=true'),
    fact(setting('is_demo', 'false'), refused('is_demo'), '200 is_demo=false'),
    both(setting('is_demo', 'perhaps'), refused('is_demo')),
  ]),
  ...from('Projects: refused values', [
    fact(setting('week_start_day', 7), refused('week_start_day'), refused('week_start_day', 'invalid_choice')),
    fact(setting(flag, { id: 1 }), '200', refused(flag)),
    fact(setting(flag, 'beta'), '200', refused(flag)),
    fact(setting(flag, { id: 1, key: 'a', more: 1 }), '200', refused(flag)),
    both(setting(flag, { id: 1, key: 'a' }), `200 ${flag}={"id":1,"key":"a"}`),
    both(setting(flag, { id: 1, key: 'a', variant: 'b' }), `200 ${flag}.variant="b"`),
    both(setting(flag, null), `200 ${flag}=null`),
    fact(setting(payload, { recordAll: true }), '200', refused(payload)),
  ]),
  ...from('Lists: bodies may be form-encoded', [fact(setting(payload, [1]), '200', refused(payload))]),
  ...from('Projects: refused values', [
    both(setting(payload, { recordBody: true, recordHeaders: false }), `200 ${payload}.recordBody=true`),
  ]),
  ...from('Projects: newer servers', [
    both(setting(minimum, 15001), `200 ${minimum}=15001`, 'up to 30000 on newer servers'),
    both(setting(minimum, 30000), `200 ${minimum}=30000`),
    fact(setting(minimum, 30001), '200', refused(minimum, 'max_value')),
    fact(setting(minimum, -1), '200', refused(minimum, 'min_value')),
    both(setting(minimum, 15000), `200 ${minimum}=15000`),
    both(setting(minimum, 0), `200 ${minimum}=0`),
  ]),
  ...from('Projects: refused values', [
    fact(setting(ignored, { a: 1 }), '200', refused(ignored)),
    fact(setting(ignored, 'Error'), '200', refused(ignored)),
    both(setting(ignored, ['Error']), `200 ${ignored}=["Error"]`),
    both('PATCH J/1/ {"primary_dashboard":11}', '200 primary_dashboard=11'),
    fact(setting('primary_dashboard', 11), '200', refused('primary_dashboard'), 'a dashboard of another project'),
    fact(
      setting('primary_dashboard', 12),
      '200',
      refused('primary_dashboard'),
      'nobody uses it, and it is foreign too',
    ),
    fact(setting('primary_dashboard', 999), '200', refused('primary_dashboard', 'does_not_exist')),
    both(setting('primary_dashboard', 21), '200 primary_dashboard=21'),
    both(setting('primary_dashboard', null), '200 primary_dashboard=null'),
  ]),
  ...from('Projects: create and delete', [
    fact('POST J/ {"primary_dashboard":21}', '201', refused('primary_dashboard')),
  ]),
  ...from('Projects: newer servers', [
    fact(setting('access_control', true), '200 access_control=true', refused('access_control')),
    fact(setting('access_control', false), '200 access_control=false', refused('access_control')),
    fact(setting('access_control', null), '400 attr="access_control"', '200 access_control=null'),
    fact(setting(webhook, 'https://hooks.example.com/x'), `200 ${webhook}`, `200 !${webhook}`, 'gone since 2026-04'),
    fact('GET J/1/', `200 ${webhook}`, `200 !${webhook}`, 'gone since 2026-04'),
    fact('GET J/1/', '200 !secret_api_token', '200 secret_api_token secret_api_token_backup=null live_events_token'),
    fact('GET J/1/', '200 !heatmaps_opt_in', '200 heatmaps_opt_in=null session_replay_config=null'),
    fact(setting('heatmaps_opt_in', true), '400 code="unknown_field"', '200 heatmaps_opt_in=true'),
    fact('GET J/2/', '200 !heatmaps_opt_in', '200 heatmaps_opt_in=true'),
    fact(setting('secret_api_token', 'x'), '400 code="unknown_field"', '200 secret_api_token~phs_'),
  ]),
  ...from('Projects: free-form values', [
    fact(setting('session_replay_config', { a: 1 }), '400 code="unknown_field"', '200 session_replay_config={"a":1}'),
    fact(setting('session_replay_config', { b: 2 }), '400', '200 session_replay_config={"a":1,"b":2}', 'merged'),
    both(setting('extra_settings', { a: 1 }), '200 extra_settings={"a":1}'),
    both(setting('extra_settings', { b: 2 }), '200 extra_settings={"b":2}', 'replaced whole'),
  ]),
  ...from('Projects: many fields may be null', [
    both(setting('timezone', null), '400 attr="timezone"'),
    fact(setting('test_account_filters', null), '200', refused('test_account_filters')),
    fact(setting('data_attributes', null), '200', refused('data_attributes')),
    both(setting('path_cleaning_filters', null), '200 path_cleaning_filters=null'),
  ]),
  ...from('Plugins, event definitions, projects: text is trimmed', [
    fact(setting('app_urls', ['a', ' ']), '200', refused('app_urls', 'blank')),
    fact(setting('recording_domains', ['']), '200', refused('recording_domains', 'blank')),
    both(setting('app_urls', []), '200 app_urls=[]'),
    both(setting('app_urls', null), '400 attr="app_urls"'),
    both(setting('app_urls', ['a', null]), '400 attr="app_urls"'),
  ]),
  ...from('Projects: refused values', [
    both(setting('primary_dashboard', 'x'), '400 attr="primary_dashboard"'),
    both('PATCH J/@current/ {"week_start_day":1}', '200 id=1 week_start_day=1'),
  ]),
  ...from('Plugins, event definitions, projects: text is trimmed', [both(setting('name', null), '400 attr="name"')]),
  ...from('Lists: bodies may be form-encoded', [
    fact(
      'PATCH J/2/ form:timezone=UTC&is_demo=true',
      '415 code="unsupported_media_type"',
      '200 timezone="UTC" is_demo=true',
    ),
    fact('PATCH J/2/ form:app_urls=a&app_urls=b&week_start_day=1', '415', '200 app_urls=["a","b"] week_start_day=1'),
  ]),
  ...from('Projects: create and delete', [
    both('POST J/ {}', '201 name="Default project" timezone="UTC"'),
    fact('POST J/ {"session_replay_config":{"a":1}}', '400 code="unknown_field"', '201 session_replay_config={"a":1}'),
    both('DELETE J/4/', '204 empty'),
    both('GET J/4/', '404'),
  ]),
  ...from('Lists: bodies may be form-encoded', [both('PATCH J/2/ [1]', '400'), both('PATCH J/2/ 1.0', '400')]),
]

export const pluginsAndEvents: readonly SandboxFact[] = [
  ...from('Plugins: install, change and delete', [
    fact('DELETE G/3/', '204 empty', '400 detail~global'),
    both('DELETE G/2/', '204 empty'),
    both('DELETE G/2/', '404'),
    fact('POST G/ {"url":"https://git.example.com/a/b"}', '201', '201 name="b" plugin_type="custom"'),
    fact('POST G/ {"url":"https://git.example.com/a/b"}', '201', '400 detail~installed'),
    fact(
      'POST G/ {"url":"https://git.example.com/a/c"}',
      '201 tag=null latest_tag=null',
      `201 tag="${commit}" latest_tag="${commit}" ${migration}=false`,
      'both versions are the newest commit',
    ),
    fact('POST G/ {"name":"x"}', '201', '400 attr="url"'),
    both('POST G/ {"name":"Source","plugin_type":"source"}', '201 config_schema={}'),
    fact(
      'POST G/ {"plugin_type":"other","url":"x"}',
      '400 attr="plugin_type" code="invalid_input"',
      '400 attr="plugin_type" code="invalid_choice"',
    ),
    both('POST G/ {"plugin_type":" source ","url":"x"}', '400 attr="plugin_type"'),
    both('PATCH G/5/ {"description":null}', '200 description=null'),
    fact(
      'POST G/ {"url":" https://git.example.com/a/b "}',
      '201 url=" https://git.example.com/a/b "',
      '400 detail~installed',
      'trimmed, it is installed already',
    ),
    both('PATCH G/5/ {"icon":null,"tag":null}', '200 icon=null tag=null'),
    fact('PATCH G/5/ {"is_global":"false"}', '400 attr="is_global"', '200 is_global=false'),
    fact('PATCH G/5/ {"colour":1}', '400 code="unknown_field"', '200 !colour'),
    fact('PATCH G/5/ {"name":"  Tagger  "}', '200 name="  Tagger  "', '200 name="Tagger"'),
    fact('PATCH G/5/ {"organization_name":"x"}', '400 code="read_only"', '200'),
  ]),
  ...from('Plugins: reads', [fact('GET G/5/check_for_updates/', `200 ?${plugin}`, '200 ?plugin')]),
  ...from('Plugins: sources', [
    fact('GET G/5/source/', `200 ?${plugin}`, '200 ?plugin.json,index.ts'),
    fact('PATCH G/5/update_source/ {"name":"x"}', '200 name="x"', '200 ?plugin.json,index.ts,name'),
    fact(
      'PATCH G/5/update_source/ {"name":null}',
      '200 name=null',
      '200 ?plugin.json,index.ts',
      'null deletes the file',
    ),
    fact(`PATCH G/5/update_source/ ${json({ 'plugin.json': '{"name":"From file"}' })}`, '400', '200'),
    fact('GET G/5/', '200', '200 name="From file"', 'the name comes from plugin.json'),
    fact(
      `PATCH G/5/update_source/ ${json({ 'plugin.json': '{"name":', notes: 'kept' })}`,
      '400',
      '500 code="error" detail="A server error occurred."',
      'the name comes from plugin.json, which is no JSON',
    ),
    fact('GET G/5/source/', '200', '200 notes="kept"'),
    fact(
      `PATCH G/5/update_source/ ${json({ 'plugin.json': 'name: Tagger' })}`,
      '400',
      '500 code="error"',
      'the name comes from plugin.json, which is no JSON',
    ),
    fact(`PATCH G/5/update_source/ ${json({ 'plugin.json': '' })}`, '400', '200'),
    both('PATCH G/5/update_source/ {"a.txt":5}', '400 attr="a.txt"'),
  ]),
  ...from('Plugins: reads', [
    fact('GET G/unused/', `200 ?${plugin}`, '200 0'),
    fact('GET G/exports_unsubscribe_configs/', `200 ?${plugin}`, '200 =[]'),
    fact('GET G/repository/', `200 ?${plugin}`, '200 0?name,url,description,verified,maintainer'),
    fact('GET G/activity/', `200 ?${plugin}`, `200 ?${log}`),
    fact(
      'GET G/activity/?limit=1',
      '200',
      '200 results.0.scope="Plugin" results.0.detail?id,changes,merge,trigger,name,short_id,type',
    ),
  ]),
  ...from('Plugins: install, change and delete', [both('POST G/4/upgrade/ {}', '200'), both('GET G/text/', '404')]),
  ...from('Event definitions', [
    fact('GET E/:event/', `200 ?${definition} is_action="false"`, `200 ?${definition} is_action=false`),
    fact('PATCH E/:event/ {"name":"new name"}', '200 name="new name"', '200 name="order placed"'),
    fact(
      'PATCH E/:event/ {"created_at":"2026-02-03T04:05:06Z"}',
      '200 created_at="2026-02-03T04:05:06Z"',
      '200 created_at~2026-01-05',
    ),
    fact('PATCH E/:event/ {"tags":["B","a","b"]}', '200 tags=["B","a","b"]', '200 tags=["b","a"]'),
    both('PATCH E/:event/ {"tags":["one"]}', '200 tags=["one"]'),
    fact('PATCH E/:event/ {"tags":["  Two "]}', '200 tags=["  Two "]', '200 tags=["two"]'),
    fact('PATCH E/:event/ {"post_to_slack":"true"}', '400 attr="post_to_slack"', '200 post_to_slack=true'),
    fact('PATCH E/:event/ {"is_action":true}', '400 code="read_only"', '200 is_action=false'),
    fact('PATCH E/:event/ {"colour":1}', '400 code="unknown_field"', '200 !colour'),
    both('PATCH E/:event/ {"tags":null}', '400 attr="tags"'),
    both('PATCH E/:event/ {"tags":"one"}', '400 attr="tags"'),
    fact('GET E/order/', '404', '500', 'an id that is none breaks the service'),
    both(`GET E/${nobody}/`, '404'),
    both('DELETE E/:event/', '204 empty'),
    both('GET E/:event/', '404'),
  ]),
]
