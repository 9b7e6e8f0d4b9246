/** What `docs.mjs` writes pages from. */
import { allCommands } from './all-commands.ts'

export { agentsPage, variables } from '../src/commands/help.ts'
export { settingRows } from '../src/config/settings.ts'
export { exits } from '../src/errors.ts'
export const { program, commands } = await allCommands()
