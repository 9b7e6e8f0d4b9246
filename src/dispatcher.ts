/** The part of undici's Dispatcher that we use; tests replace it. */
export interface Dispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean
  destroy(): Promise<void>
}

export interface DispatchOptions {
  readonly origin: string
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface DispatchController {
  abort(reason: Error): void
}

export interface DispatchHandler {
  onRequestStart(controller: DispatchController, context: unknown): void
  onResponseStart(
    controller: DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    statusMessage?: string,
  ): void
  onResponseData(controller: DispatchController, chunk: Buffer): void
  onResponseEnd(controller: DispatchController, trailers: unknown): void
  onResponseError(controller: DispatchController, error: Error): void
}
