import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP port that leads to a server, until it is cut: then connections break, and new ones are refused. */
export interface Detour {
  readonly port: number
  cut(): Promise<void>
  restore(): Promise<void>
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
  const listen = async (port: number): Promise<Server> => {
    const server = createServer((near) => {
      const far = keep(connect(target))
      keep(near).pipe(far).pipe(near)
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
    }
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port')
  return address
}
