import { repeated } from '../../cli/options.ts'
import { text } from '../../values/kinds.ts'

/** `-f FILE`, for every command that reads settings files. */
export const fileOption = {
  file: {
    ...repeated(text, 'FILE', 'settings as YAML or JSON; - is stdin; a later file wins field by field'),
    short: '-f',
  },
} as const
