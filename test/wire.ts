/** Sends through `node:http` and `node:https`, where nock sees it: what undici does in the product. */
import http from 'node:http'
import https from 'node:https'
import type { Dispatcher as Undici } from 'undici'
import type { Dispatcher, DispatchOptions } from '../src/host.ts'
import { controllerOf } from './in-memory.ts'

export function wire(): Dispatcher {
  const open = new Set<http.ClientRequest>()
  return {
    dispatch(options, handler) {
      const request = send(options, handler)
      open.add(request)
      request.on('close', () => open.delete(request))
      return true
    },
    async destroy() {
      for (const request of open) request.destroy()
    },
  }
}

function send(options: DispatchOptions, handler: Undici.DispatchHandler): http.ClientRequest {
  const { request: start } = options.origin.startsWith('https:') ? https : http
  const request = start(options.origin + options.path, {
    method: options.method,
    headers: { ...options.headers, ...lengthOf(options.body) },
    agent: false,
  })
  let over = false
  const fail = (error: Error) => {
    if (!over) handler.onResponseError?.(controller, error)
    over = true
  }
  const controller = controllerOf(reason => {
    fail(reason)
    request.destroy()
  })
  request.on('error', fail)
  request.on('response', response => {
    handler.onResponseStart?.(controller, response.statusCode ?? 0, response.headers, response.statusMessage)
    response.on('data', (chunk: Buffer) => over || handler.onResponseData?.(controller, chunk))
    response.on('error', fail)
    response.on('end', () => {
      if (over) return
      over = true
      handler.onResponseEnd?.(controller, {})
    })
  })
  handler.onRequestStart?.(controller, {})
  if (!over) request.end(options.body ?? undefined)
  return request
}

function lengthOf(body: DispatchOptions['body']): { 'content-length'?: number } {
  return body ? { 'content-length': Buffer.byteLength(body) } : {}
}
