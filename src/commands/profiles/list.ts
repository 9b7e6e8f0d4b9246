import { withoutUser } from '../../api/address.ts'
import { defineCommand } from '../../cli/command.ts'
import { configFolder } from '../../profiles/folders.ts'
import { readProfiles } from '../../profiles/store.ts'
import { boolean, integer, listOf, text } from '../../values/kinds.ts'

const fields = {
  name: text,
  in_use: boolean,
  base_url: text,
  project: text,
  organization: text,
  safety: text,
  max_deletes: integer,
  require: listOf(text),
  ca_file: text,
}
const names = Object.keys(fields)

export default defineCommand({
  summary: 'List profiles',
  calls: [],
  args: {},
  fields,
  options: {},
  examples: ['profiles list # All profiles', 'profiles list -o ids # Their names, one a line'],
  async run(_, __, { host, messages }) {
    const { current, profiles } = readProfiles(configFolder(host))
    const rows = Object.entries(profiles).map(([name, profile]) => ({
      name,
      in_use: name === current,
      base_url: profile.baseUrl === undefined ? null : withoutUser(profile.baseUrl),
      project: profile.project ?? null,
      organization: profile.organization ?? null,
      safety: profile.safety ?? null,
      max_deletes: profile.maxDeletes ?? null,
      require: profile.require ?? [],
      ca_file: profile.caFile ?? null,
    }))
    return {
      document: {
        shape: 'list',
        batches: [rows.map(row => Buffer.from(JSON.stringify(row)))],
        view: { columns: names.filter(name => name !== 'ca_file'), fields: names, id: 'name' },
      },
      afterwards: () => {
        if (rows.length === 0) messages.notice('No profiles yet; add one with analytics profiles add NAME')
      },
    }
  },
})
