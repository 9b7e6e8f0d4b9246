import type { Socket } from 'node:net'
import type { Connector } from 'undici/lib/dispatcher/client.js'
import type { Dispatcher, DispatchHandler, DispatchOptions } from '../../dispatcher.ts'

/** undici's, with one request at a time. */
interface Client extends Dispatcher {
  readonly stats: { readonly connected: boolean; readonly size: number }
  on(event: 'disconnect' | 'drain', listener: () => void): this
}

type Waiting = readonly [DispatchOptions, DispatchHandler]

/** Connections also break by chance: for each so many that answered, one without an answer changes nothing. */
const pardonAfter = 10
const mostPardons = 5

/**
 * The connections to one origin. Some servers take only so many at once, and close further ones or leave them waiting. Once
 * a connection gets no answer, no more are opened than were open beside it.
 */
export class Connections implements Dispatcher {
  readonly #open: (connector: Connector) => Client
  readonly #connector: Connector
  /** Each client with the request that it got last. */
  readonly #clients = new Map<Client, DispatchHandler>()
  readonly #idle: Client[] = []
  readonly #waiting: Waiting[] = []
  readonly #sockets = new Set<Socket>()
  #most = Number.POSITIVE_INFINITY
  #pardons = 1
  /** Since the last connection without an answer. */
  #hasAnswered = false

  constructor(open: (connector: Connector) => Client, connector: Connector) {
    this.#open = open
    this.#connector = (to, callback) => {
      connector(to, (error, socket) => {
        if (error) this.#refused()
        if (socket) this.#watch(socket)
        callback?.(error, socket)
      })
    }
  }

  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean {
    if (this.#hasRoom(options)) this.#start(options, handler)
    else this.#waiting.push([options, handler])
    return true
  }

  async destroy(): Promise<void> {
    await Promise.all(Array.from(this.#clients.keys(), client => client.destroy()))
  }

  #hasRoom({ connections = 1 }: DispatchOptions): boolean {
    return this.#clients.size - this.#idle.length < Math.min(connections, this.#most)
  }

  #start(options: DispatchOptions, handler: DispatchHandler): void {
    const client = this.#idle.pop() ?? this.#newClient()
    this.#clients.set(client, handler)
    client.dispatch(options, handler)
    // It did not take the request.
    if (client.stats.size === 0) this.#ended(client)
  }

  #newClient(): Client {
    const client = this.#open(this.#connector)
    return client.on('drain', () => this.#ended(client)).on('disconnect', () => this.#disconnected(client))
  }

  /** Its request has ended, well or not. */
  #ended(client: Client): void {
    if (client.stats.connected) this.#idle.push(client)
    else this.#clients.delete(client)
    const [next] = this.#waiting
    if (next && this.#hasRoom(next[0])) {
      this.#waiting.shift()
      this.#start(...next)
    }
  }

  #disconnected(client: Client): void {
    const place = this.#idle.indexOf(client)
    if (place >= 0) {
      this.#idle.splice(place, 1)
      this.#clients.delete(client)
    } else if (client.stats.size > 0 && this.#clients.get(client)?.isOver) {
      // undici would connect again to find that the request was aborted.
      void client.destroy()
      this.#ended(client)
    }
  }

  #watch(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      if (socket.bytesRead === 0) return this.#refused()
      this.#hasAnswered = true
      this.#pardons = Math.min(mostPardons, this.#pardons + 1 / pardonAfter)
    })
  }

  /** A server that answers nobody else is down, which shows no limit. */
  #refused(): void {
    if (!this.#hasAnswered && ![...this.#sockets].some(({ bytesRead }) => bytesRead > 0)) return
    this.#hasAnswered = false
    if (this.#pardons >= 1) this.#pardons--
    else this.#most = Math.max(1, Math.min(this.#most, this.#sockets.size))
  }
}
