import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { TlsTarget } from './doctorPorts.js'

/** Postgres' request to go on in TLS, which it answers with one letter. */
const POSTGRES_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const YES = 'S'.charCodeAt(0)
/** MySQL's: a packet of 32 bytes, second of the connection, whose flags are protocol 4.1, TLS and secure connection. */
const MYSQL_REQUEST = Buffer.concat([Buffer.from([32, 0, 0, 1, 0, 0x8a, 0, 0, 0, 0, 0, 1, 45]), Buffer.alloc(23)])

/**
 * When the certificate of a server expires, in milliseconds, whoever has issued it. Rejects where there is none in time.
 * Nothing is sent but what it takes to see it.
 */
export async function certificateExpiry({ host, port, begins }: TlsTarget, limit_ms: number): Promise<number> {
  const socket = host.startsWith('/') ? connect(host) : connect(port, host)
  const over = new AbortController()
  const give = (why: string) => over.abort(new Error(why))
  const timer = setTimeout(() => give(`There was no answer within ${limit_ms / 1000} seconds.`), limit_ms)
  // Whoever waits is told; what goes wrong when nobody does, concerns nobody.
  socket.on('error', () => {})
  socket.once('close', () => give('The server has closed the connection.'))
  try {
    const { signal } = over
    await once(socket, 'connect', { signal })
    if (begins === 'postgres') {
      socket.write(POSTGRES_REQUEST)
      if ((await firstBytes(socket, signal))[0] !== YES) throw new Error('Postgres does not speak TLS.')
    }
    if (begins === 'mysql') {
      // The greeting says what the server can.
      await firstBytes(socket, signal)
      socket.write(MYSQL_REQUEST)
    }
    // Whose it is, is for those who connect to say; here it matters how long it lasts.
    const tls = connectTls({ socket, rejectUnauthorized: false, ...(hasName(host) && { servername: host }) })
    await once(tls, 'secureConnect', { signal })
    const expiry = Date.parse(tls.getPeerCertificate().valid_to)
    tls.destroy()
    if (Number.isNaN(expiry)) throw new Error('The server has shown no certificate.')
    return expiry
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

/** False for an address, and for a socket in the file system. */
function hasName(host: string): boolean {
  return isIP(host) === 0 && !host.startsWith('/')
}

async function firstBytes(socket: Socket, signal: AbortSignal): Promise<Buffer> {
  const [bytes]: readonly unknown[] = await once(socket, 'data', { signal })
  socket.pause()
  return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0)
}
