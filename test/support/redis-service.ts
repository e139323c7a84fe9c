import { mkdtemp } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { findBinary, freePort, type PrivateServer, startPrivateServer, writePrivateFiles } from './private-server.js'
import type { ServiceKind } from './services.js'

export interface PrivateRedis extends PrivateServer {
  readonly host: string
  readonly port: number
}

export interface PrivateRedisOptions {
  /** `redis-server` unless told otherwise. */
  readonly command?: string
  readonly port?: number
  readonly password?: string
  /** More arguments, such as `--cluster-enabled yes`. */
  readonly args?: readonly string[]
  /** Files in its working directory. */
  readonly files?: Readonly<Record<string, string>>
  /** True where it takes connections over TLS alone, with the certificate `cert.pem`, its `key.pem` and `ca.pem` of the files. */
  readonly isEncrypted?: boolean
  /** True where it is a sentinel, with the configuration `sentinel.conf` of the files. */
  readonly isSentinel?: boolean
}

const TLS_FILES =
  '--tls-cert-file cert.pem --tls-key-file key.pem --tls-ca-cert-file ca.pem --tls-auth-clients no'.split(' ')

/** A Redis of the caller's own, to stop, freeze and kill; null where the machine does not have its program. */
export async function startPrivateRedis(options: PrivateRedisOptions = {}) {
  const command = await findBinary(options.command ?? 'redis-server')
  if (command === null) return null
  const { password, args = [], files = {}, isEncrypted = false, isSentinel = false } = options
  const host = '127.0.0.1'
  const port = options.port ?? (await freePort())
  const directory = await mkdtemp(join(tmpdir(), 'hub-test-redis-'))
  await writePrivateFiles(directory, files)
  const listen = isEncrypted ? ['--port', '0', '--tls-port', String(port), ...TLS_FILES] : ['--port', String(port)]
  const kept = isSentinel ? [] : ['--save', '', '--appendonly', 'no']
  const start = isSentinel ? ['sentinel.conf', '--sentinel'] : []
  const secret = password === undefined ? [] : ['--requirepass', password]
  const server = await startPrivateServer({
    command,
    args: [...start, '--bind', host, ...listen, ...kept, '--dir', directory, ...secret, ...args],
    directory,
    ready: () => answers(host, port, ['+PONG', '-NOAUTH'], isEncrypted)
  })
  return { ...server, host, port } satisfies PrivateRedis
}

export const redisService: ServiceKind = {
  variable: 'HUB_TEST_REDIS_URL',
  usual: () =>
    answers('127.0.0.1', 6379, ['+PONG']).then(
      () => 'redis://127.0.0.1:6379',
      () => null
    ),
  start: async () => {
    const server = await startPrivateRedis()
    if (server === null) throw new Error('no redis-server on PATH')
    return { url: `redis://${server.host}:${server.port}`, stop: server.stop }
  }
}

/** Resolves when the server answers PING with one of the replies; a password or a hang is a rejection. */
function answers(host: string, port: number, replies: readonly string[], isEncrypted = false): Promise<void> {
  return new Promise((resolve, reject) => {
    const ask = () => socket.write('PING\r\n')
    const socket = isEncrypted
      ? connectTls({ host, port, timeout: 1000, rejectUnauthorized: false }, ask)
      : connect({ host, port, timeout: 1000 }, ask)
    const fail = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    socket.once('error', fail)
    socket.once('timeout', () => fail(new Error('no answer')))
    socket.once('data', (data) => {
      socket.destroy()
      const reply = data.toString('latin1')
      if (replies.some((start) => reply.startsWith(start))) resolve()
      else reject(new Error(reply))
    })
  })
}
