/**
 * One command line for each of the 44 endpoints, in the order of the API documentation, with its request.
 * All of them work on a new sandbox, one after the other.
 */
import { organization } from '../src/sandbox/projects.ts'

export type Call = readonly [endpoint: string, typed: string, sent: string, body?: string]

/** An event definition of the sandbox. */
const D = '534f1026-b04c-4d79-8bd3-3544c4652cec'
/** Where persons, plugins and event definitions are. */
export const P = '/api/projects/1/persons/'
export const G = `/api/organizations/${organization.id}/plugins/`
const E = '/api/projects/1/event_definitions/'

export const calls: readonly Call[] = [
  ['persons.list', 'persons list', `GET ${P}`],
  ['persons.get', 'persons get 7', `GET ${P}7/`],
  ['persons.update', 'persons update 7 --set plan=pro', `PATCH ${P}7/`, '{"properties":{"plan":"pro"}}'],
  ['persons.delete', 'persons delete 3 --yes', `DELETE ${P}3/`],
  ['persons.activity', 'persons activity 55', `GET ${P}55/activity/`],
  [
    'persons.deleteProperty',
    'persons delete-property 7 --key plan --yes',
    `POST ${P}7/delete_property/?%24unset=plan`,
    '{"$unset":"plan"}',
  ],
  ['persons.propertiesTimeline', 'persons properties-timeline 7', `GET ${P}7/properties_timeline/`],
  [
    'persons.split',
    'persons split 55 --main-distinct-id ada --yes',
    `POST ${P}55/split/`,
    '{"main_distinct_id":"ada"}',
  ],
  [
    'persons.updateProperty',
    'persons update-property 7 --key plan --value pro',
    `POST ${P}7/update_property/?key=plan&value=pro`,
    '{"key":"plan","value":"pro"}',
  ],
  ['persons.allActivity', 'persons activity', `GET ${P}activity/`],
  ['persons.cohorts', 'persons cohorts --param person_id=7', `GET ${P}cohorts/?person_id=7`],
  ['persons.funnel', 'persons funnel', `GET ${P}funnel/`],
  ['persons.funnelPost', `persons funnel --properties '{"a":1}'`, `POST ${P}funnel/`, '{"properties":{"a":1}}'],
  ['persons.funnelCorrelation', 'persons funnel-correlation', `GET ${P}funnel/correlation/`],
  [
    'persons.funnelCorrelationPost',
    `persons funnel-correlation --body '{"a":1}'`,
    `POST ${P}funnel/correlation/`,
    '{"a":1}',
  ],
  ['persons.lifecycle', 'persons lifecycle', `GET ${P}lifecycle/`],
  ['persons.path', 'persons path', `GET ${P}path/`],
  ['persons.pathPost', `persons path --body '{}'`, `POST ${P}path/`, '{}'],
  ['persons.retention', 'persons retention', `GET ${P}retention/`],
  ['persons.stickiness', 'persons stickiness', `GET ${P}stickiness/`],
  ['persons.trends', 'persons trends', `GET ${P}trends/`],
  ['persons.values', 'persons values --param key=plan', `GET ${P}values/?key=plan`],
  ['plugins.list', 'plugins list', `GET ${G}`],
  [
    'plugins.create',
    'plugins create --name Geo --plugin-type source --set url=x',
    `POST ${G}`,
    '{"plugin_type":"source","name":"Geo","url":"x"}',
  ],
  ['plugins.get', 'plugins get 2', `GET ${G}2/`],
  ['plugins.update', 'plugins update 2 --no-is-global', `PATCH ${G}2/`, '{"is_global":false}'],
  ['plugins.delete', 'plugins delete 1 --yes', `DELETE ${G}1/`],
  ['plugins.checkForUpdates', 'plugins check-for-updates 2', `GET ${G}2/check_for_updates/`],
  ['plugins.source', 'plugins source 5', `GET ${G}5/source/`],
  ['plugins.updateSource', 'plugins update-source 5 --name Tagger', `PATCH ${G}5/update_source/`, '{"name":"Tagger"}'],
  ['plugins.upgrade', 'plugins upgrade 4', `POST ${G}4/upgrade/`, '{}'],
  ['plugins.activity', 'plugins activity', `GET ${G}activity/`],
  ['plugins.exportsUnsubscribeConfigs', 'plugins exports-unsubscribe-configs', `GET ${G}exports_unsubscribe_configs/`],
  ['plugins.repository', 'plugins repository', `GET ${G}repository/`],
  ['plugins.unused', 'plugins unused', `GET ${G}unused/`],
  ['eventDefinitions.list', 'event-definitions list', `GET ${E}`],
  ['eventDefinitions.get', `event-definitions get ${D}`, `GET ${E}${D}/`],
  [
    'eventDefinitions.update',
    `event-definitions update ${D} --tags x --tags y --post-to-slack`,
    `PATCH ${E}${D}/`,
    '{"tags":["x","y"],"post_to_slack":true}',
  ],
  ['eventDefinitions.delete', `event-definitions delete ${D} --yes`, `DELETE ${E}${D}/`],
  ['projects.list', 'projects list', 'GET /api/projects/'],
  ['projects.create', 'projects create --name Books', 'POST /api/projects/', '{"name":"Books"}'],
  ['projects.get', 'projects get', 'GET /api/projects/1/'],
  ['projects.update', 'projects update 2 --timezone UTC', 'PATCH /api/projects/2/', '{"timezone":"UTC"}'],
  ['projects.delete', 'projects delete 2 --yes', 'DELETE /api/projects/2/'],
]
