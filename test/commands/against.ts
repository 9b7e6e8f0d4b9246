import { wordsOf } from '../../src/text/shell-words.ts'
import { type Answer, type Asked, serve } from '../server.ts'
import { newWorld, type Options, type Ran } from '../world.ts'

/** Runs one command line against a server of its own, over HTTP, under a path prefix. */
export async function against(
  answer: Answer,
  line: string,
  options: Options = {},
): Promise<Ran & { readonly asked: readonly Asked[] }> {
  const server = await serve(answer)
  const env = { ANALYTICS_BASE_URL: `${server.url}behind/`, ANALYTICS_API_KEY: 'the-key', ...options.env }
  const ran = await newWorld().run(wordsOf(line), { ...options, env })
  return { ...ran, asked: server.asked }
}
