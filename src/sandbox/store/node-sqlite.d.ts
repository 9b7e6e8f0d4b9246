/** What the sandbox uses of Node's own database; the types of Node 20 do not have it. */
declare module 'node:sqlite' {
  import type { Database, Statement } from './driver.ts'

  export class DatabaseSync implements Database {
    constructor(path: string)
    prepare(sql: string): Statement
    exec(sql: string): void
    close(): void
  }
}
