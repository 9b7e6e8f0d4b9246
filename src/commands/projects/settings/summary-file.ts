import { resolve } from 'node:path'
import type { Context } from '../../../context.ts'
import { openFile } from '../../../files/output-file.ts'
import type { Shown } from '../../../result.ts'
import { markdown } from '../../../settings/markdown.ts'
import { shownChanges, type Titled, type UnreadProject } from './compare-projects.ts'

interface SummaryEntry extends Titled {
  readonly remarks?: readonly string[]
}

export interface SummaryFile {
  write(entries: readonly SummaryEntry[], unread: readonly UnreadProject[]): Promise<void>
}

/** Keeps the old file if `act` or `conclude` fails. Throws `UsageError` early if it cannot be written. */
export async function withSummary(
  context: Context,
  file: string | undefined,
  act: (summary: SummaryFile) => Promise<Shown>,
): Promise<Shown> {
  const sink = file === undefined ? undefined : await openFile(resolve(context.host.cwd, file), context.host)
  const discarding = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      await sink?.discard()
      throw error
    }
  }
  const result = await discarding(() =>
    act({
      async write(entries, unread) {
        const sections = entries.map(({ project, ...rest }) => ({
          ...rest,
          where: project.where,
          place: project.place,
          project: project.name ?? project.id,
          changes: shownChanges(project, context),
        }))
        const failed = unread.map(({ id, where, failure }) => ({
          title: 'Cannot be read',
          where,
          place: where,
          project: id,
          changes: [],
          remarks: [failure.message],
        }))
        await sink?.write(context.secrets.hide(markdown([...sections, ...failed])))
        await sink?.commit()
      },
    }),
  )
  return { ...result, conclude: () => discarding(async () => result.conclude()) }
}
