/** Each difference of the observed dialect from the documented one, with requests that show it. */
interface Difference {
  readonly text: string
  readonly facts: readonly (readonly [request: string, documented: string, observed: string])[]
}

const ada = '08d770aa-b62d-479d-8990-7399a316a95e'
const [henrik, priya, yuki] = [
  '61eac80c-90ca-4677-8cd2-de788568c8a4',
  '0e17bfda-91fb-4ab5-8a88-388709fd38d4',
  '24c24e24-3eee-46d1-8971-6832587a9754',
]
const unknown = '00000000-0000-4000-8000-000000000000'

export const differences: readonly Difference[] = [
  {
    text: 'Persons lists have no `count`. The `id` of a list item is its UUID, and `get` returns the integer. Every `:id` accepts either.',
    facts: [
      ['GET P/?limit=1', '200 count=56 results.0.id=55', `200 !count results.0.id="${ada}"`],
      ['GET P/55/', '200 id=55', '200 id=55'],
      [`GET P/${ada}/`, '200 id=55', '200 id=55'],
    ],
  },
  {
    text: 'DELETE of a person returns 202. PATCH and `update_property` return 202 without a body.',
    facts: [
      ['DELETE P/1/', '204 empty', '202 empty'],
      ['PATCH P/2/ {"properties":{"plan":"pro"}}', '200 properties.plan="pro"', '202 empty'],
      ['POST P/2/update_property/ {"key":"orders","value":7}', '200 properties.orders=7', '202 empty'],
      ['GET P/2/', '200 properties.plan="pro" properties.orders=7', '200 properties.plan="pro" properties.orders=7'],
    ],
  },
  {
    text: '`delete_property` and `split` return 201 `{"success":true}`. `key`, `value` and `$unset` are read from the JSON body only.',
    facts: [
      ['POST P/2/delete_property/ {"$unset":"plan"}', '200 id=2 !properties.plan', '201 success=true !id'],
      ['POST P/55/split/ {"main_distinct_id":"ada"}', '200 distinct_ids=["ada"]', '201 success=true !id'],
      ['POST P/2/update_property/?key=plan&value=pro {}', '200 properties.plan="pro"', '400 attr="value"'],
      ['POST P/2/delete_property/?$unset=plan {}', '200 !properties.plan', '400 attr="$unset"'],
    ],
  },
  {
    text: 'Filters fail open: an unknown parameter or malformed entry is ignored, and all persons are returned.',
    facts: [
      ['GET P/?limit=1&emial=ada@example.com', '400 attr="emial"', '200 results#1'],
      ['GET P/?limit=1&properties=[{"key":"plan","value":"none"}]', '200 results#0', '200 results#1'],
      ['GET P/?limit=1&properties=[{"key":"plan","operator":"is"}]', '400 attr="properties"', '200 results#1'],
      ['GET P/?limit=1&properties={}', '400 attr="properties"', '200 results#1'],
    ],
  },
  {
    text: 'Only the presence of `delete_events` counts.',
    facts: [
      ['DELETE P/3/?delete_events=false', '204 empty', '202 empty'],
      ['GET P/deletion_status/?limit=1', '404 code="not_found"', '200 results#1'],
      ['DELETE P/4/?delete_events=perhaps', '400 attr="delete_events"', '202 empty'],
    ],
  },
  {
    text: 'PATCH of projects and event definitions ignores unknown, read-only and fixed fields with 200 (`name`, `created_at`, `last_seen_at` of a definition; `slack_incoming_webhook`).',
    facts: [
      ['PATCH J/1/ {"week_start_day":0,"nonsense":1}', '400 attr="nonsense"', '200 week_start_day=0 !nonsense'],
      ['PATCH J/1/ {"id":9}', '400 attr="id"', '200 id=1'],
      [
        'PATCH J/1/ {"slack_incoming_webhook":"x"}',
        '200 slack_incoming_webhook="x"',
        '200 slack_incoming_webhook~made-up',
      ],
      ['PATCH E/:event/ {"name":"renamed"}', '200 name="renamed"', '200 name="order placed"'],
      ['PATCH E/:event/ {"action_id":1}', '400 attr="action_id"', '200 action_id=null'],
    ],
  },
  {
    text: 'Tags come back in lower case, text comes back trimmed, and a sample rate has two digits.',
    facts: [
      ['PATCH E/:event/ {"tags":["New"," new "]}', '200 tags=["New"," new "]', '200 tags=["new"]'],
      ['PATCH J/1/ {"name":" Books "}', '200 name=" Books "', '200 name="Books"'],
      [
        'PATCH J/1/ {"session_recording_sample_rate":"0.5"}',
        '200 session_recording_sample_rate="0.5"',
        '200 session_recording_sample_rate="0.50"',
      ],
    ],
  },
  {
    text: '`next` names an internal host, or is relative. Pages can be short or empty while `next` is set.',
    facts: [
      [
        'GET P/?limit=10',
        '200 results#10 next~/api/projects/1/persons/?limit=10&offset=10',
        '200 results#10 next~http://analytics-web.internal:8000/',
      ],
      ['GET P/?limit=10&offset=10', '200 results#10 next~offset=20', '200 results#5 next~offset=15&cursor=1'],
      [
        'GET P/?limit=10&offset=20',
        '200 results#10 next~offset=30',
        '200 results#0 next="api/projects/1/persons/?limit=10&offset=20&cursor=1"',
      ],
      ['GET P/?limit=10&offset=20&cursor=1', '400 attr="cursor"', '200 results#10 next~offset=30'],
    ],
  },
  {
    text: '`POST persons/bulk_delete/` exists, with its counts.',
    facts: [
      [
        `POST P/bulk_delete/ {"ids":["${ada}","${unknown}"]}`,
        '405 code="method_not_allowed"',
        '202 persons_found=1 persons_deleted=1 events_queued_for_deletion=0',
      ],
      [`GET P/${ada}/`, '200 id=55', '404 code="not_found"'],
    ],
  },
  {
    text: 'A value that is not an id is 400. An event definition that does not exist is 500.',
    facts: [
      ['GET P/ada/', '404 code="not_found"', '400 attr=null'],
      [`GET P/${unknown}/`, '404 code="not_found"', '404 code="not_found"'],
      [`GET E/${unknown}/`, '404 code="not_found"', '500 type="server_error"'],
    ],
  },
  {
    text: 'A list item holds at most the first 1,000 distinct ids.',
    facts: [
      ['GET P/?distinct_id=device-1', '200 results.0.distinct_ids#1001', '200 results.0.distinct_ids#1000'],
      ['GET P/900/', '200 distinct_ids#1001', '200 distinct_ids#1001'],
    ],
  },
  {
    text: '`persons/deletion_status/` (pending in the first response for a person, completed afterwards) and `persons/batch_by_distinct_ids/` exist.',
    facts: [
      ['DELETE P/6/?delete_events=true', '204 empty', '202 empty'],
      [
        `GET P/deletion_status/?person_uuid=${henrik}&status=all`,
        '404 code="not_found"',
        `200 ?count,next,previous,results count=1 results.0.person_uuid="${henrik}" results.0.status="pending" results.0.delete_verified_at=null`,
      ],
      [
        `GET P/deletion_status/?person_uuid=${henrik}&status=all`,
        '404 code="not_found"',
        '200 results.0.status="completed" results.0.delete_verified_at="2026-05-15T12:00:00.000Z"',
      ],
      ['DELETE P/7/', '204 empty', '202 empty'],
      [`GET P/deletion_status/?person_uuid=${priya}`, '404 code="not_found"', '200 count=0 results#0'],
      [
        'POST P/batch_by_distinct_ids/ {"distinct_ids":["reader-oliver","reader-nobody"]}',
        '405 code="method_not_allowed"',
        '200 ?results results?reader-oliver results.reader-oliver.id=8',
      ],
      [
        `POST P/batch_by_distinct_ids/ ${JSON.stringify({ distinct_ids: [...Array(200).fill('none'), 'reader-oliver'] })}`,
        '405 code="method_not_allowed"',
        '200 results={}',
      ],
      [
        'POST P/batch_by_distinct_ids/ {"distinct_ids":["device-1"]}',
        '405 code="method_not_allowed"',
        '200 results.device-1.distinct_ids#10',
      ],
      [
        'POST P/batch_by_distinct_ids/ {"distinct_ids":"ada"}',
        '405 code="method_not_allowed"',
        '400 attr="distinct_ids"',
      ],
    ],
  },
  {
    text: 'A person created again with a deleted distinct id gets the same UUID.',
    facts: [
      ['DELETE P/9/', '204 empty', '202 empty'],
      ['LOAD {"distinct_ids":["reader-yuki"]}', '200 loaded=1', '200 loaded=1'],
      [`GET P/${yuki}/`, '404 code="not_found"', '200 created_at="2026-05-15T12:00:00.000Z"'],
    ],
  },
]
