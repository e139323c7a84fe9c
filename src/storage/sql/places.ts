import { Socket } from 'node:net'
import type { Address } from '../../config/types.js'
import { timeout } from '../../lib/timeout.js'
import { WrongServer } from '../storage.js'

/** The places of a database, of which the one that let somebody in last is the first to be asked again. */
export interface Places<Client, Wanted> {
  /**
   * Opens a connection: to the place that served last, or the next one that lets it in and is as it has to be. Rejects with the reason
   * of a single place; of several with `WrongServer` where all answer and none may be used, else with an `AggregateError` of all.
   */
  connect(wanted: Wanted): Promise<Client>
  /**
   * Resolves when the place that is asked first gives a sign of life. One among several that gives none loses its turn and all
   * connections to it, and then any other place is as good.
   */
  signOfLife(over: AbortSignal): Promise<void>
  /** Ends every connection at once. */
  endAll(): void
}

/** How a database is connected to at one place. */
export interface Entrance<Client, Wanted> {
  /** Connects over sockets that it asks for. What it throws says why the place cannot be used. */
  enter(place: Address, socket: () => Socket, wanted: Wanted): Promise<Client>
  /** Connects and lets go again; what it throws says that there was no sign of life. */
  probe(place: Address, socket: () => Socket): Promise<void>
  /** True for an error that is the server's own answer. */
  isRefusal(error: unknown): boolean
}

/** How long the first of several places may take for a sign of life: less than half of what a probe may take. */
const TURN_MS = 700

/** After so long without a word a connection is asked for a sign of life: routers forget those that nothing goes over. */
const ALIVE_MS = 60_000

/** The places where a database may be, in the order in which they are asked at first. */
export function placesOf<Client, Wanted>(
  places: readonly Address[],
  { enter, probe, isRefusal }: Entrance<Client, Wanted>
): Places<Client, Wanted> {
  /** The open ones, with the place that each leads to. */
  const sockets = new Map<Socket, Address>()
  let first = 0

  const socketTo = (place: Address): Socket => {
    const socket = new Socket().setNoDelay(true).setKeepAlive(true, ALIVE_MS)
    sockets.set(socket, place)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  /** Does something over sockets that are ended where it fails, or `over` says so. */
  const over = async <T>(
    place: Address,
    work: (socket: () => Socket) => Promise<T>,
    until?: AbortSignal
  ): Promise<T> => {
    const own: Socket[] = []
    const end = () => {
      for (const socket of own) socket.destroy()
    }
    until?.addEventListener('abort', end, { once: true })
    try {
      return await work(() => {
        const socket = socketTo(place)
        own.push(socket)
        return socket
      })
    } catch (error) {
      end()
      throw error
    }
  }
  const probed = (place: Address, until: AbortSignal) => over(place, (socket) => probe(place, socket), until)
  const endAll = (at?: Address) => {
    for (const [socket, to] of sockets) if (at === undefined || at === to) socket.destroy()
  }
  /** All places, from the one that is asked first on. */
  const inTurn = () => [...places.slice(first), ...places.slice(0, first)]

  return {
    async connect(wanted) {
      const failures: Error[] = []
      for (const place of inTurn()) {
        try {
          const client = await over(place, (socket) => enter(place, socket, wanted))
          first = places.indexOf(place)
          return client
        } catch (error) {
          if (places.length === 1) throw error
          failures.push(atPlace(place, error))
        }
      }
      const cause = new AggregateError(failures, failures.map(({ message }) => message).join(', '))
      const [wrong, ...others] = failures.map((failure) => failure.cause)
      const areAllWrong = others.every((failure) => failure instanceof WrongServer)
      throw wrong instanceof WrongServer && areAllWrong ? new WrongServer(wrong.message, { cause }) : cause
    },
    async signOfLife(until) {
      const [asked, ...others] = inTurn()
      if (asked === undefined) return
      if (others.length === 0)
        return probed(asked, until).catch((error: unknown) => {
          // A refusal is a sign of life.
          if (!isRefusal(error)) throw error
        })
      try {
        await probed(asked, AbortSignal.any([until, timeout(TURN_MS)]))
      } catch {
        endAll(asked)
        const found = await Promise.any(others.map((place) => probed(place, until).then(() => place)))
        first = places.indexOf(found)
      }
    },
    endAll: () => endAll()
  }
}

function atPlace({ host, port }: Address, failure: unknown): Error {
  const why = failure instanceof Error ? failure.message : String(failure)
  return new Error(`${host}:${port}: ${why}`, { cause: failure })
}
