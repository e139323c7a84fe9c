import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Duplex, PassThrough } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'

// For tests alone: whoever has the key can pretend to be a test's server on this machine.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguvizfZuaWNkd0AXk
NMhBazCSh4j9OpcyAEqdDLtD9KKhRANCAATyYl1yidTLeZ2TShe5FwqDxWuwkNsd
MFnap+BZe2BZQ00WuMIu6y1vTjO9SWoDpI0HkX+5XQP65/bWtbCgtwf6
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBgDCCASWgAwIBAgIUG4kb/0FN3MunR1XD/dBTyZsCycAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjA1MTIxNVoYDzIxMjYxMDI5
MDUxMjE1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATyYl1yidTLeZ2TShe5FwqDxWuwkNsdMFnap+BZe2BZQ00WuMIu6y1v
TjO9SWoDpI0HkX+5XQP65/bWtbCgtwf6o1MwUTAdBgNVHQ4EFgQUx21osHt/Qtwg
GBFOqeLB4hpBvC0wHwYDVR0jBBgwFoAUx21osHt/QtwgGBFOqeLB4hpBvC0wDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA8qq0eQTk5N2fL4+KHMIe
v3EFotBJldKFjZAq80Xo6XECIQCtY+KjmTJDH2TTRAHcpTk6JZtZtI0LtLNQIi/t
Ut43Tg==
-----END CERTIFICATE-----`

/** When the certificate of the server expires. */
export const EXPIRY_MS = Date.UTC(2126, 9, 29, 5, 12, 15)

/** How a database server comes to TLS: what it says first, and what it answers to whoever asks for it. */
export interface Overture {
  readonly greeting?: Buffer
  readonly request: Buffer
  readonly answer?: Buffer
}

export interface TlsServer {
  readonly port: number
  close(): Promise<void>
}

/** A server that speaks TLS, at once or after an overture. One that is asked for something else hangs up. */
export async function tlsServer(overture?: Overture): Promise<TlsServer> {
  const sockets = new Set<Socket>()
  const secure = (socket: Duplex) => {
    const tls = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext({ key, cert }) })
    tls.on('error', () => undefined)
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    if (!overture) {
      secure(socket)
      return
    }
    if (overture.greeting) socket.write(overture.greeting)
    socket.once('data', (asked) => {
      const { length } = overture.request
      if (!asked.subarray(0, length).equals(overture.request)) {
        socket.destroy()
        return
      }
      if (overture.answer) socket.write(overture.answer)
      // Whoever need not wait for an answer may have gone on already, in the same packet.
      const rest = new PassThrough()
      rest.write(asked.subarray(length))
      secure(Duplex.from({ readable: socket.pipe(rest), writable: socket }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    }
  }
}
