/**
 * What the sandbox answers to a request, one row each: in the documented dialect, in the observed one, and where that
 * comes from. Rows follow each other on one sandbox, so a row may build on those above it.
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
  readonly source: string
}

/** The same in both dialects. */
const both = (request: string, answer: string, source: string): SandboxFact => ({
  request,
  documented: answer,
  observed: answer,
  source,
})

const fact = (request: string, documented: string, observed: string, source: string): SandboxFact => ({
  request,
  documented,
  observed,
  source,
})

const person = 'id,name,distinct_ids,properties,created_at,uuid'
const listed =
  'type,id,uuid,created_at,properties,is_identified,name,distinct_ids,matched_recordings,value_at_data_point'
const definition =
  'id,name,created_at,last_seen_at,last_updated_at,tags,is_action,action_id,is_calculating,last_calculated_at,created_by,post_to_slack'
const plugin =
  'id,plugin_type,name,description,url,icon,config_schema,tag,latest_tag,is_global,organization_id,organization_name,capabilities,metrics,public_jobs'
const log = 'results,next,previous,total_count'
const groups = 'results,next,previous,missing_persons'
const contract = 'service-api: Endpoints'
const ada = '08d770aa-b62d-479d-8990-7399a316a95e'

const nobody = '0190f3c2-0000-4000-8000-000000000000'

const json = (value: unknown) => JSON.stringify(value)
const filter = (value: unknown) => encodeURIComponent(json(value))
const setting = (field: string, value: unknown) => `PATCH J/2/ ${json({ [field]: value })}`
const flag = 'session_recording_linked_flag'
const payload = 'session_recording_network_payload_capture_config'
const minimum = 'session_recording_minimum_duration_milliseconds'
const ignored = 'autocapture_exceptions_errors_to_ignore'
const rate = 'session_recording_sample_rate'
const refused = (attr: string, code = 'invalid_input') =>
  `400 ?type,code,detail,attr type="validation_error" code="${code}" attr="${attr}"`

const dated = (operator: string, value: string) =>
  `GET P/?properties=${filter([{ key: 'first_order', value, operator, type: 'person' }])}`

export const lists: readonly SandboxFact[] = [
  fact('GET P/?limit=1', '200 ?count,next,previous,results', '200 ?next,previous,results', 'wild: Lists, no count'),
  fact('GET P/?search=ada@', '200 results.0.id=55', `200 results.0.id="${ada}"`, 'wild: Lists, id is a UUID'),
  fact('GET P/?limit=1', `200 results.0?${person}`, `200 results.0?${listed}`, 'wild: Lists, items also have'),
  fact('GET P/?limit=1', '200 !results.0.type', '200 results.0.type="person"', 'wild: Lists, items also have'),
  fact('GET P/?limit=1', '200', '200 results.0.is_identified=true', 'wild: Lists, items also have'),
  fact('GET P/?limit=1', '200', '200 results.0.matched_recordings=[]', 'wild: Lists, items also have'),
  fact('GET P/?limit=1', '200', '200 results.0.value_at_data_point=null', 'wild: Lists, items also have'),
  both('GET P/55/', `200 ?${person} id=55 uuid="${ada}"`, 'wild: Lists, get answers with an integer'),
  both(`GET P/${ada}/`, '200 id=55', 'wild: Lists, every id takes either'),
  both('GET J/@current/', '200 id=1', 'wild: Errors, @current'),
  both('GET /api/projects/@current/persons/?limit=1', '200', 'wild: Errors, @current'),
  fact(
    'GET P/ada/',
    '404 code="not_found"',
    '400 code="invalid_input" detail~personID',
    'wild: Persons, GET by a distinct id',
  ),
  fact('DELETE P/ada/', '404', '400 detail~personID', 'wild: Persons, GET by a distinct id'),
  both('GET P/999999/', '404 ?type,code,detail,attr code="not_found"', 'wild: Errors'),
  both('GET P/?limit=2&offset=54', '200 results#1 next=null', contract),
  both('GET P/', '200 results#55', 'wild: Lists, default page 100'),
  both('GET P/?offset=1000', '200 results#0 next=null', contract),
  fact('GET P/?limit=many', '400 attr="limit"', '200', 'wild: Lists, filters fail open'),
  fact('GET P/?colour=red', '400 attr="colour"', '200 results#55', 'wild: Lists, filters fail open'),
  both('GET P/?email=ada@example.com', '200 results#1', 'wild: Lists, email is exact'),
  both('GET P/?email=ADA@example.com', '200 results#0', 'wild: Lists, email is case-sensitive'),
  both('GET P/?search=ADA@', '200 results#1', 'wild: Lists, search is contains'),
  both('GET P/?search=ada-phone', '200 results#1', 'wild: Lists, search is an exact distinct id'),
  both('GET P/?search=ada-pho', '200 results#0', 'wild: Lists, search is an exact distinct id'),
  fact(`GET P/?search=${ada}`, '200 results#0', '200 results#1', 'wild: Lists, search matches a uuid'),
  both('GET P/?distinct_id=ada', '200 results#1', contract),
  both('GET P/?properties=nonsense', '400 attr="properties"', 'wild: Lists, properties that is no JSON is 400'),
  fact(
    `GET P/?properties=${filter([{ key: 'plan' }, 5])}`,
    '400 attr="properties"',
    '200 results#55',
    'wild: Lists, fail open',
  ),
  fact(
    `GET P/?properties=${filter([{ key: 'plan', value: 'pro', operator: 'exact' }])}`,
    '200 results#13',
    '200 results#55',
    'wild: Lists, without type the entry is dropped',
  ),
  both(
    `GET P/?properties=${filter([{ key: 'plan', value: 'pro', operator: 'exact', type: 'person' }])}`,
    '200 results#13',
    'wild: Lists',
  ),
  both(
    `GET P/?properties=${filter([{ key: 'orders', value: '8', operator: 'gt', type: 'person' }])}`,
    '200 results.0.properties.orders',
    'wild: Lists, gt compares numbers',
  ),
  both('GET P/?limit=1&offset=1', '200 results.0.name~Irene', 'wild: Lists, newest first'),
  both('GET P/?properties=[]', '200 results#55', contract),
  both('GET P/?email=', '200 results#55', 'wild: Lists, filters fail open'),
  both(dated('is_date_exact', '2026-01-12'), '200 results#1', 'wild: Lists, dates'),
  both(dated('is_date_after', '2026-01-11'), '200 results#1', 'wild: Lists, dates'),
  both(dated('is_date_before', '2026-01-12'), '200 results#0', 'wild: Lists, dates'),
  both(dated('is_date_before', '-30d'), '200 results#1', 'wild: Lists, dates, a date or -30d'),
  both(dated('is_date_after', '-30d'), '200 results#0', 'wild: Lists, dates, a date or -30d'),
  fact(dated('is_date_after', 'soon'), '400 attr="properties"', '200 results#55', 'wild: Lists, filters fail open'),
  fact('GET E/?search=ORDER', '200 count=12', '200 count=2 results#2', 'wild: Lists, event definitions take search'),
  both('GET E/?limit=5', '200 ?count,next,previous,results count=12 results#5', contract),
  fact('GET P?limit=1', '404', '200 results#1', 'wild: Lists, without the last slash'),
  fact('GET P/55', '404', '200 id=55', 'wild: Lists, without the last slash'),
  fact('GET J/1', '404', '200 id=1', 'wild: Lists, without the last slash'),
  both(
    'GET J/',
    '200 count=2 results.0?id,uuid,organization,api_token,name,completed_snippet_onboarding,has_completed_onboarding_for,ingested_event,is_demo,timezone,access_control',
    'service-api: Project',
  ),
  both('GET G/', `200 count=5 results.0?${plugin}`, contract),
  fact('GET E/?limit=1', '200 results.0.is_action="false"', '200 results.0.is_action=false', 'wild: is_action'),
  both(`GET /api/organizations/${nobody}/plugins/`, '403 code="permission_denied"', 'wild: Errors'),
  both('GET J/999/', '404 code="not_found"', 'wild: Errors'),
  both('GET /api/nothing/', '404 code="not_found"', 'wild: Errors'),
  both('POST P/ {}', '405 code="method_not_allowed"', 'service-api: no create'),
  both('POST E/ {}', '405', 'service-api: no create'),
  both('GET /api/projects/99/persons/', '404', 'wild: Errors'),
]

export const views: readonly SandboxFact[] = [
  fact('GET P/values/', `200 ?${person}`, '200 =[]', 'wild: Views, values without key'),
  fact('GET P/values/?key=plan', `200 ?${person}`, '200 0={"name":"free","count":24}', 'wild: Views, bare array'),
  fact('GET P/values/?key=plan&value=PRO', '200', '200 #1 0.name="pro"', 'wild: Views'),
  fact('GET P/cohorts/', '200', '400 attr="person_id"', 'wild: Views, cohorts wants person_id'),
  fact('GET P/cohorts/?person_id=55', `200 ?${person}`, '200 ?results', 'wild: Views'),
  fact('GET P/cohorts/?person_id=3', '200 id=3', '200 ?results', 'wild: Views'),
  both('GET P/cohorts/?person_id=999', '404', 'wild: Views'),
  fact('GET P/activity/', `200 ?${person}`, `200 ?${log}`, 'wild: Views, activity'),
  fact(
    'GET P/activity/?limit=1',
    '200',
    '200 results.0?user,activity,scope,item_id,detail,created_at',
    'wild: Views, activity',
  ),
  fact(
    'GET P/activity/?limit=1',
    '200',
    '200 results.0.detail?id,changes,merge,trigger,name,short_id,type',
    'wild: Views, detail',
  ),
  fact(
    'GET P/activity/?limit=1',
    '200',
    '200 results.0.detail.changes.0.type="Person"',
    'wild: Views, detail holds changes',
  ),
  fact('GET P/55/activity/?page=1&limit=2', '200', '200 results#2', 'wild: Lists, activity pages with page'),
  fact(
    'GET P/55/properties_timeline/',
    `200 ?${person}`,
    '200 ?points,crucial_property_keys,effective_date_from,effective_date_to',
    'wild: Views',
  ),
  fact('GET P/55/properties_timeline/', '200', '200 points.0?timestamp,properties,relevant_event_count', 'wild: Views'),
  fact('GET P/trends/', '200 ?count,next,previous,results', `200 ?${groups}`, 'wild: Views'),
  fact('GET P/funnel/', `200 ?${person}`, `200 ?${groups}`, 'wild: Views'),
  fact('POST P/funnel/?limit=1 {}', '200', '200 results#1 next~offset=1', 'wild: Lists, next of POST views'),
  fact('POST P/funnel/ {}', `200 ?${person}`, `200 ?${groups}`, 'wild: Views'),
  fact('GET P/funnel/correlation/', `200 ?${person}`, `200 ?${groups}`, 'wild: Views'),
  fact('POST P/funnel/correlation/ {}', `200 ?${person}`, `200 ?${groups}`, 'wild: Views'),
  fact('GET P/path/', `200 ?${person}`, `200 ?${groups}`, 'wild: Views'),
  fact('POST P/path/ {}', `200 ?${person}`, `200 ?${groups}`, 'wild: Views'),
  fact('GET P/lifecycle/', `200 ?${person}`, `200 ?${groups}`, 'wild: Views'),
  fact('GET P/stickiness/', `200 ?${person}`, `200 ?${groups}`, 'wild: Views'),
  fact(
    'GET P/stickiness/?limit=1',
    '200',
    `200 results.0.people.0.id="${ada}"`,
    'wild: Lists, people in views have a UUID',
  ),
  fact('GET P/trends/?limit=1', '200', `200 results.0.people.0?${listed}`, 'wild: Lists, people in views'),
  fact('GET P/retention/', `200 ?${person}`, '200 ?result,next,previous,missing_persons', 'wild: Views, singular'),
  fact(
    'GET P/retention/?limit=1',
    '200',
    `200 result.0.person.id="${ada}"`,
    'wild: Lists, people in views have a UUID',
  ),
  both('POST P/funnel/ [1]', '400', contract),
]

export const persons: readonly SandboxFact[] = [
  fact(
    'PATCH P/3/ {"properties":{"plan":"pro"}}',
    `200 ?${person} properties.plan="pro"`,
    '202 empty',
    'wild: Persons, PATCH answers 202',
  ),
  fact(
    'PATCH P/3/ {}',
    '400 code="required" attr="properties"',
    '400 code="This field is required." detail="required"',
    'wild: Persons, code and detail swapped',
  ),
  fact('PATCH P/3/ {"properties":5}', refused('properties'), refused('properties'), 'wild: Errors'),
  fact(
    'PATCH P/3/ {"colour":1,"properties":{}}',
    '400 code="unknown_field"',
    '202',
    'wild: Projects, unknown keys are ignored',
  ),
  fact(
    'POST P/3/update_property/ {"key":"a","value":1.0}',
    '200 properties.a=1',
    '202 empty',
    'wild: Persons, update_property',
  ),
  fact(
    'POST P/3/update_property/?key=b&value=c {}',
    '200 properties.b="c"',
    '400 attr="key" code="This field is required." detail="required"',
    'wild: Persons, read from the body; code and detail swapped',
  ),
  fact(
    'POST P/3/update_property/ {"key":"a","value":null}',
    '400 attr="value"',
    '202',
    'wild: Persons, value may be any JSON',
  ),
  fact(
    'POST P/3/update_property/ {"key":"a"}',
    '400 attr="value" code="required"',
    '400 attr="value" code="This field is required." detail="required"',
    'wild: Persons, code and detail swapped',
  ),
  fact(
    'POST P/3/delete_property/ {"$unset":"plan"}',
    '200 !properties.plan',
    '201 ={"success":true}',
    'wild: Persons, 201 success',
  ),
  fact(
    'POST P/3/delete_property/?$unset=country {}',
    '200 !properties.country',
    '400 attr="$unset"',
    'wild: Persons, read from the body',
  ),
  fact(
    'POST P/4/split/ {"main_distinct_id":"nobody"}',
    '400 attr="main_distinct_id"',
    '400 attr="main_distinct_id"',
    'wild: Persons, split',
  ),
  fact(
    'POST P/55/split/ {"main_distinct_id":"ada"}',
    '200 distinct_ids=["ada"]',
    '201 ={"success":true}',
    'wild: Persons, split',
  ),
  both(
    'GET P/55/',
    '200 properties.email="ada@example.com"',
    'wild: Persons, split with a main distinct id keeps properties',
  ),
  fact('POST P/4/split/ {}', '200 properties={}', '201', 'wild: Persons, split wipes the properties'),
  both('GET P/4/', '200 properties={}', 'wild: Persons, split wipes the properties'),
  fact(
    'POST P/8/split/ {"main_distinct_id":""}',
    '400 attr="main_distinct_id"',
    '201 ={"success":true}',
    'wild: Persons, split without main_distinct_id',
  ),
  fact(
    'GET P/8/',
    '200 properties.name="Oliver Finch"',
    '200 properties={}',
    'wild: Persons, split wipes the properties',
  ),
  fact(
    'POST P/9/split/ {"main_distinct_id":null}',
    '400 attr="main_distinct_id"',
    '201 ={"success":true}',
    'wild: Persons, split without main_distinct_id',
  ),
  fact('PATCH P/ada/ {"properties":{}}', '404', '400 detail~personID', 'wild: Persons, a distinct id'),
  fact('POST P/ada/split/ {}', '404', '400 detail~personID', 'wild: Persons, a distinct id'),
  fact('GET P/ada/activity/', '404', '400 detail~personID', 'wild: Persons, a distinct id'),
  fact(`PATCH P/${ada}/ {"properties":{"n":1}}`, '200 id=55 properties.n=1', '202 empty', 'wild: Lists, either id'),
  fact(
    'PATCH P/3/ {"properties":null}',
    '400 code="required" attr="properties"',
    '400 code="This field is required." detail="required"',
    'wild: Persons, code and detail swapped',
  ),
  fact(
    'POST P/3/update_property/ {"key":"a","value":{"b":[1]}}',
    '200 properties.a={"b":[1]}',
    '202 empty',
    'wild: Persons, value may be any JSON',
  ),
  fact('POST P/3/update_property/ form:key=a&value=b', '415', '202 empty', 'wild: Lists, form-encoded'),
  fact('POST P/3/delete_property/ {"$unset":"not there"}', '200', '201 ={"success":true}', 'wild: Persons'),
  fact('DELETE P/7/?delete_events=false', '204 empty', '202 empty', 'wild: Persons, only the presence counts'),
  fact('DELETE P/5/', '204 empty', '202 empty', 'wild: Persons, DELETE answers 202 or 204'),
  both('GET P/5/', '404', contract),
  both('DELETE P/5/', '404 code="not_found"', contract),
  fact(
    'DELETE P/6/?delete_events=perhaps',
    '400 attr="delete_events"',
    '202',
    'wild: Persons, only the presence counts',
  ),
  fact('GET P/1/?format=xml', '400 attr="format"', '404', 'wild: Persons, format'),
  fact('PATCH P/3/?format=csv {"properties":{"x":1}}', '200', '500', 'wild: Persons, format on a write'),
  fact('GET P/999999/?format=csv', '404 code="not_found"', '404 empty', 'wild: Persons, format=csv, a 4xx is empty'),
  both('PATCH P/3/ {"properties":', '400 code="parse_error"', 'wild: Errors'),
]

export const projects: readonly SandboxFact[] = [
  fact(
    setting('name', '  Lending  '),
    '200 name="  Lending  "',
    '200 name="Lending"',
    'wild: Plugins, text comes back trimmed',
  ),
  fact(
    setting('app_urls', [' https://a.example.com ']),
    '200 app_urls.0=" https://a.example.com "',
    '200 app_urls.0="https://a.example.com"',
    'wild: text comes back trimmed',
  ),
  both(setting('name', ''), '400 code="blank" attr="name"', 'wild: Errors'),
  fact(setting('name', '  '), '200', '400 code="blank" attr="name"', 'wild: text comes back trimmed'),
  fact(
    setting('timezone', 'Europe/Atlantis'),
    refused('timezone'),
    refused('timezone', 'invalid_choice'),
    'wild: Projects, a bad time zone',
  ),
  fact(
    setting('timezone', { toString: false }),
    refused('timezone'),
    refused('timezone', 'invalid_choice'),
    'wild: Projects, a bad time zone',
  ),
  fact(
    setting('timezone', ' UTC '),
    refused('timezone'),
    refused('timezone', 'invalid_choice'),
    'wild: Projects, a bad time zone',
  ),
  both(setting('timezone', 'Asia/Tokyo'), '200 timezone="Asia/Tokyo"', contract),
  fact(setting('colour', 'red'), '400 code="unknown_field"', '200 !colour', 'wild: Projects, unknown keys are ignored'),
  fact(
    setting('ingested_event', false),
    '400 code="read_only"',
    '200 ingested_event=true',
    'wild: Projects, read-only keys are ignored',
  ),
  fact(setting(rate, '0.5'), `200 ${rate}="0.5"`, `200 ${rate}="0.50"`, 'wild: Projects, sample rate'),
  fact(setting(rate, 0.25), refused(rate), `200 ${rate}="0.25"`, 'wild: Projects, a sample rate as number'),
  fact(setting(rate, 1), refused(rate), `200 ${rate}="1.00"`, 'wild: Projects, a sample rate as number'),
  both(setting(rate, null), `200 ${rate}=null`, 'wild: Projects, many fields may be null'),
  fact(setting(rate, '7'), '200', refused(rate), 'wild: Projects'),
  fact(
    setting(rate, '0.125'),
    `200 ${rate}="0.125"`,
    refused(rate, 'max_decimal_places'),
    'wild: Projects, sample rate',
  ),
  fact(setting(rate, 0.125), refused(rate), refused(rate, 'max_decimal_places'), 'wild: Projects, sample rate'),
  fact(setting('is_demo', 'true'), refused('is_demo'), '200 is_demo=true', 'wild: Projects, a boolean as text'),
  fact(setting('is_demo', 'false'), refused('is_demo'), '200 is_demo=false', 'wild: Projects, a boolean as text'),
  both(setting('is_demo', 'perhaps'), refused('is_demo'), 'wild: Projects'),
  fact(
    setting('week_start_day', 7),
    refused('week_start_day'),
    refused('week_start_day', 'invalid_choice'),
    'wild: Projects, invalid_choice',
  ),
  fact(setting(flag, { id: 1 }), '200', refused(flag), 'wild: Projects, linked flag'),
  fact(setting(flag, 'beta'), '200', refused(flag), 'wild: Projects, linked flag'),
  fact(setting(flag, { id: 1, key: 'a', more: 1 }), '200', refused(flag), 'wild: Projects, linked flag'),
  both(setting(flag, { id: 1, key: 'a' }), `200 ${flag}={"id":1,"key":"a"}`, 'wild: Projects, linked flag'),
  both(setting(flag, { id: 1, key: 'a', variant: 'b' }), `200 ${flag}.variant="b"`, 'wild: Projects, linked flag'),
  both(setting(flag, null), `200 ${flag}=null`, 'wild: Projects, many fields may be null'),
  fact(setting(payload, { recordAll: true }), '200', refused(payload), 'wild: Projects, network payload config'),
  fact(setting(payload, [1]), '200', refused(payload), 'wild: Projects, network payload config'),
  both(
    setting(payload, { recordBody: true, recordHeaders: false }),
    `200 ${payload}.recordBody=true`,
    'wild: Projects',
  ),
  fact(
    setting(minimum, 15001),
    '200',
    refused(minimum, 'max_value'),
    'wild: Projects, a minimum duration outside 0…15000',
  ),
  fact(
    setting(minimum, -1),
    '200',
    refused(minimum, 'min_value'),
    'wild: Projects, a minimum duration outside 0…15000',
  ),
  both(setting(minimum, 15000), `200 ${minimum}=15000`, 'wild: Projects'),
  both(setting(minimum, 0), `200 ${minimum}=0`, 'wild: Projects'),
  fact(setting(ignored, { a: 1 }), '200', refused(ignored), 'wild: Projects, that is no list'),
  fact(setting(ignored, 'Error'), '200', refused(ignored), 'wild: Projects, that is no list'),
  both(setting(ignored, ['Error']), `200 ${ignored}=["Error"]`, 'wild: Projects'),
  both('PATCH J/1/ {"primary_dashboard":11}', '200 primary_dashboard=11', contract),
  fact(
    setting('primary_dashboard', 11),
    '200',
    refused('primary_dashboard'),
    'wild: Projects, a dashboard of another project',
  ),
  both(setting('primary_dashboard', 12), '200 primary_dashboard=12', contract),
  fact(
    setting('session_replay_config', { a: 1 }),
    '400 code="unknown_field"',
    '200 session_replay_config={"a":1}',
    'wild: Projects, merged',
  ),
  fact(
    setting('session_replay_config', { b: 2 }),
    '400',
    '200 session_replay_config={"a":1,"b":2}',
    'wild: Projects, merged',
  ),
  both(setting('extra_settings', { a: 1 }), '200 extra_settings={"a":1}', 'wild: Projects, replaced whole'),
  both(setting('extra_settings', { b: 2 }), '200 extra_settings={"b":2}', 'wild: Projects, replaced whole'),
  both(setting('timezone', null), '400 attr="timezone"', 'wild: Errors'),
  fact(
    setting('test_account_filters', null),
    '200',
    refused('test_account_filters'),
    'wild: Projects, many may be null',
  ),
  fact(setting('data_attributes', null), '200', refused('data_attributes'), 'wild: Projects, many may be null'),
  both(setting('path_cleaning_filters', null), '200 path_cleaning_filters=null', 'wild: Projects, many may be null'),
  fact(setting('app_urls', ['a', ' ']), '200', refused('app_urls', 'blank'), 'wild: text comes back trimmed'),
  fact(setting('recording_domains', ['']), '200', refused('recording_domains', 'blank'), 'wild: Projects'),
  both(setting('app_urls', []), '200 app_urls=[]', contract),
  both(setting('primary_dashboard', 'x'), '400 attr="primary_dashboard"', contract),
  both('PATCH J/@current/ {"week_start_day":1}', '200 id=1 week_start_day=1', 'wild: Errors, @current'),
  both(setting('name', null), '400 attr="name"', 'wild: Errors'),
  fact(
    'PATCH J/2/ form:timezone=UTC&is_demo=true',
    '415 code="unsupported_media_type"',
    '200 timezone="UTC" is_demo=true',
    'wild: Lists, form-encoded',
  ),
  fact(
    'PATCH J/2/ form:app_urls=a&app_urls=b&week_start_day=1',
    '415',
    '200 app_urls=["a","b"] week_start_day=1',
    'wild: Lists, form-encoded',
  ),
  both('POST J/ {}', '201 name="Default project" timezone="UTC"', 'wild: Projects, create needs nothing'),
  fact(
    'POST J/ {"session_replay_config":{"a":1}}',
    '400 code="unknown_field"',
    '201 session_replay_config={"a":1}',
    'wild: Projects, merged',
  ),
  both('DELETE J/3/', '204 empty', contract),
  both('GET J/3/', '404', contract),
  both('PATCH J/2/ [1]', '400', 'wild: Errors'),
  both('PATCH J/2/ 1.0', '400', 'wild: Errors'),
]

export const pluginsAndEvents: readonly SandboxFact[] = [
  fact('DELETE G/3/', '204 empty', '400 detail~global', 'wild: Plugins, DELETE of a global one'),
  both('DELETE G/2/', '204 empty', contract),
  both('DELETE G/2/', '404', contract),
  fact(
    'POST G/ {"url":"https://git.example.com/a/b"}',
    '201',
    '201 name="b" plugin_type="custom"',
    'wild: Plugins, create',
  ),
  fact(
    'POST G/ {"url":"https://git.example.com/a/b"}',
    '201',
    '400 detail~installed',
    'wild: Plugins, installing a url twice',
  ),
  fact('POST G/ {"name":"x"}', '201', '400 attr="url"', 'wild: Plugins, create wants url'),
  both(
    'POST G/ {"name":"Source","plugin_type":"source"}',
    '201 config_schema={}',
    'wild: Plugins, a new source plugin',
  ),
  fact(
    'POST G/ {"plugin_type":"other","url":"x"}',
    '400 attr="plugin_type" code="invalid_input"',
    '400 attr="plugin_type" code="invalid_choice"',
    'wild: Projects, invalid_choice',
  ),
  both('POST G/ {"plugin_type":" source ","url":"x"}', '400 attr="plugin_type"', contract),
  both('PATCH G/5/ {"description":null}', '200 description=null', 'wild: Plugins, may be null'),
  fact(
    'POST G/ {"url":" https://git.example.com/a/b "}',
    '201 url=" https://git.example.com/a/b "',
    '400 detail~installed',
    'wild: Plugins, trimmed, installing a url twice',
  ),
  both('PATCH G/5/ {"icon":null,"tag":null}', '200 icon=null tag=null', 'wild: Plugins, may be null'),
  fact(
    'PATCH G/5/ {"is_global":"false"}',
    '400 attr="is_global"',
    '200 is_global=false',
    'wild: Projects, a boolean as text',
  ),
  fact('PATCH G/5/ {"colour":1}', '400 code="unknown_field"', '200 !colour', 'wild: unknown keys are ignored'),
  fact('PATCH G/5/ {"name":"  Tagger  "}', '200 name="  Tagger  "', '200 name="Tagger"', 'wild: Plugins, trimmed'),
  fact(
    'PATCH G/5/ {"organization_name":"x"}',
    '400 code="read_only"',
    '200',
    'wild: Projects, read-only keys are ignored',
  ),
  fact('GET G/5/check_for_updates/', `200 ?${plugin}`, '200 ?plugin', 'wild: Plugins, check_for_updates'),
  fact('GET G/5/source/', `200 ?${plugin}`, '200 ?plugin.json,index.ts', 'wild: Plugins, source'),
  fact(
    'PATCH G/5/update_source/ {"name":"x"}',
    '200 name="x"',
    '200 ?plugin.json,index.ts,name',
    'wild: Plugins, update_source',
  ),
  fact(
    'PATCH G/5/update_source/ {"name":null}',
    '200 name=null',
    '200 ?plugin.json,index.ts',
    'wild: Plugins, null deletes the file',
  ),
  fact(
    `PATCH G/5/update_source/ ${json({ 'plugin.json': '{"name":"From file"}' })}`,
    '400',
    '200',
    'wild: Plugins, the name from plugin.json',
  ),
  fact('GET G/5/', '200', '200 name="From file"', 'wild: Plugins, the name from plugin.json'),
  fact(
    `PATCH G/5/update_source/ ${json({ 'plugin.json': '{"name":', notes: 'kept' })}`,
    '400',
    '500 code="error" detail="A server error occurred."',
    'wild: Plugins, the name from plugin.json',
  ),
  fact('GET G/5/source/', '200', '200 notes="kept"', 'wild: Plugins, source'),
  fact(
    `PATCH G/5/update_source/ ${json({ 'plugin.json': 'name: Tagger' })}`,
    '400',
    '500 code="error"',
    'wild: Plugins, the name from plugin.json',
  ),
  fact(`PATCH G/5/update_source/ ${json({ 'plugin.json': '' })}`, '400', '200', 'wild: Plugins, update_source'),
  fact('PATCH G/5/update_source/ {"a.txt":5}', '400 attr="a.txt"', '400 attr="a.txt"', 'wild: Plugins, a map to text'),
  fact('GET G/unused/', `200 ?${plugin}`, '200 0', 'wild: Plugins, unused'),
  fact('GET G/exports_unsubscribe_configs/', `200 ?${plugin}`, '200 =[]', 'wild: Plugins'),
  fact('GET G/repository/', `200 ?${plugin}`, '200 0?name,url,description,verified,maintainer', 'wild: Plugins'),
  fact('GET G/activity/', `200 ?${plugin}`, `200 ?${log}`, 'wild: Plugins, activity'),
  fact(
    'GET G/activity/?limit=1',
    '200',
    '200 results.0.scope="Plugin" results.0.detail?id,changes,merge,trigger,name,short_id,type',
    'wild: Views, detail',
  ),
  both('POST G/4/upgrade/ {}', '200', contract),
  both('GET G/text/', '404', contract),

  fact(
    'GET E/:event/',
    `200 ?${definition} is_action="false"`,
    `200 ?${definition} is_action=false`,
    'wild: Event definitions, is_action',
  ),
  fact(
    'PATCH E/:event/ {"name":"new name"}',
    '200 name="new name"',
    '200 name="order placed"',
    'wild: Event definitions, ignored with 200',
  ),
  fact(
    'PATCH E/:event/ {"created_at":"2026-02-03T04:05:06Z"}',
    '200 created_at="2026-02-03T04:05:06Z"',
    '200 created_at~2026-01-05',
    'wild: Event definitions, ignored',
  ),
  fact(
    'PATCH E/:event/ {"tags":["B","a","b"]}',
    '200 tags=["B","a","b"]',
    '200 tags=["b","a"]',
    'wild: Event definitions, lower-cased',
  ),
  both('PATCH E/:event/ {"tags":["one"]}', '200 tags=["one"]', 'wild: Event definitions, replaces the whole list'),
  fact(
    'PATCH E/:event/ {"tags":["  Two "]}',
    '200 tags=["  Two "]',
    '200 tags=["two"]',
    'wild: text comes back trimmed',
  ),
  fact(
    'PATCH E/:event/ {"post_to_slack":"true"}',
    '400 attr="post_to_slack"',
    '200 post_to_slack=true',
    'wild: a boolean as text',
  ),
  fact(
    'PATCH E/:event/ {"is_action":true}',
    '400 code="read_only"',
    '200 is_action=false',
    'wild: Projects, read-only keys are ignored',
  ),
  fact('PATCH E/:event/ {"colour":1}', '400 code="unknown_field"', '200 !colour', 'wild: unknown keys are ignored'),
  both('PATCH E/:event/ {"tags":null}', '400 attr="tags"', 'wild: Errors'),
  both('PATCH E/:event/ {"tags":"one"}', '400 attr="tags"', 'wild: Errors'),
  fact('GET E/order/', '404', '500', 'wild: Event definitions, a missing id may be 500'),
  both(`GET E/${nobody}/`, '404', contract),
  both('DELETE E/:event/', '204 empty', contract),
  both('GET E/:event/', '404', contract),
]
