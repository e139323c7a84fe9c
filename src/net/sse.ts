import type { ServerResponse } from 'node:http'
import { LIMITS } from '../limits.js'
import { outgoing } from './outgoing.js'
import { whenOver } from './responseOver.js'

/** A reply that consists of server-sent events. */
export interface EventStream {
  /** Aborted when the client goes away before the stream has ended. */
  readonly left: AbortSignal
  /**
   * Sends one event, and resolves when there is room for the next, or when the client has left. Who does not wait for
   * it loses the client as soon as too much is waiting: for this client, or for all together.
   */
  send(data: object): Promise<void>
  /** Sends events that are written out as frames already; resolves as `send` does. */
  write(frames: string | Buffer): Promise<void>
  /** Ends the stream after the last events; resolves when the client has everything, has left, or has had enough time. */
  end(last: readonly object[]): Promise<void>
}

export interface EventStreamOptions {
  /** The media type where nothing but what is written is sent: no comments, at the beginning or while nothing happens. */
  readonly bareType?: string
  readonly heartbeat_ms?: number
  /** What a heartbeat is; a comment by default. */
  readonly heartbeat?: () => string
  /** How long a client that does not read may keep an ended stream. */
  readonly linger_ms?: number
  /** How long a client may take nothing of what waits for it before it is let go; 30 seconds by default. */
  readonly stall_ms?: number
  /** When it is aborted, whoever waits for the client to read goes on. */
  readonly ended?: AbortSignal
  /** How much may wait for a client before another event is written: a single large one never ends a stream. */
  readonly maxWaitingBytes?: number
}

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // Asks a reverse proxy not to hold events back.
  'x-accel-buffering': 'no'
}
const HEARTBEAT_MS = 30_000
const LINGER_MS = 10_000

/** Begins a reply of server-sent events, with comments that keep it alive while nothing happens. */
export function openEventStream(response: ServerResponse, options: EventStreamOptions = {}): EventStream {
  const { heartbeat_ms = HEARTBEAT_MS, linger_ms = LINGER_MS, maxWaitingBytes = LIMITS.waitingOfOne.max } = options
  const { heartbeat: beat = () => ': heartbeat\n\n', stall_ms = LIMITS.stalled.max, ended, bareType } = options
  const left = clientLeft(response)
  const heartbeat = setInterval(() => {
    if (!bareType && !response.writableNeedDrain) response.write(beat())
  }, heartbeat_ms)
  whenOver(response, () => clearInterval(heartbeat))
  // What goes wrong on the way to the client ends in `close`.
  response.on('error', () => {})
  if (!response.destroyed) {
    response.writeHead(200, { ...HEADERS, ...(bareType && { 'content-type': bareType }) }).flushHeaders()
    if (!bareType) response.write(': connected\n\n')
  }

  const write = async (frames: string | Buffer) => {
    if (response.destroyed || response.writableEnded || left.aborted) return
    const bytes = Buffer.byteLength(frames)
    const isTooMuch = response.writableLength + bytes > maxWaitingBytes && response.writableLength > 0
    if (isTooMuch || !outgoing.hasRoom(response, bytes)) {
      response.destroy()
      return
    }
    const hasRoom = response.write(frames, outgoing.add(response, bytes))
    if (hasRoom || ended?.aborted) return
    // The server's own time-out, which a client that reads slowly puts off: nobody listens to it, so it ends the connection.
    response.setTimeout(stall_ms)
    await oneOf(response, 'drain', ended)
    response.setTimeout(0)
  }
  return {
    left,
    write,
    send: (data) => write(frame(data)),
    async end(last) {
      clearInterval(heartbeat)
      if (response.destroyed || left.aborted) return
      const lingered = new AbortController()
      const over = oneOf(response, 'finish', lingered.signal)
      response.end(last.map(frame).join(''))
      const giveUp = setTimeout(() => {
        response.destroy()
        lingered.abort()
      }, linger_ms)
      await over
      clearTimeout(giveUp)
    }
  }
}

/** A signal that is aborted when the client of a reply goes away before it has it all. */
export function clientLeft(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  whenOver(response, () => {
    if (!response.writableFinished) left.abort()
  })
  return left.signal
}

function frame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** Resolves with the event, when the reply or its connection is closed, or when the signal is aborted. */
function oneOf(response: ServerResponse, event: 'drain' | 'finish', ended?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let stopWaiting = () => {}
    const done = () => {
      response.off(event, done)
      ended?.removeEventListener('abort', done)
      stopWaiting()
      resolve()
    }
    response.once(event, done)
    ended?.addEventListener('abort', done)
    stopWaiting = whenOver(response, done)
  })
}
