import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP port that leads to a server, until it is cut: then connections break, and new ones are refused. */
export interface Detour {
  readonly port: number
  cut(): Promise<void>
  restore(): Promise<void>
  /** Takes connections and passes nothing on, until it is thawed. */
  freeze(): void
  thaw(): void
}

/** Opens a detour to a server, which goes on for itself whatever happens to the detour. */
export async function openDetour(target: { readonly host: string; readonly port: number }): Promise<Detour> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    // A broken end is what this is for.
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  let isFrozen = false
  const listen = async (port: number): Promise<Server> => {
    const server = createServer((near) => {
      const far = keep(connect(target))
      const both = [keep(near), far] as const
      for (const [from, to] of [both, both.toReversed()] as const) {
        from?.on('data', (data) => to?.write(data))
        if (isFrozen) from?.pause()
      }
      near.on('close', () => far.destroy())
      far.on('close', () => near.destroy())
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  let server: Server | null = await listen(0)
  const { port } = addressOf(server)
  return {
    port,
    async cut() {
      const closed = server && once(server, 'close')
      server?.close()
      server = null
      for (const socket of sockets) socket.destroy()
      await closed
    },
    async restore() {
      server ??= await listen(port)
    },
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    }
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port')
  return address
}
