import { mkdtemp } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinary, freePort, type PrivateServer, startPrivateServer } from './private-server.js'
import type { ServiceKind } from './services.js'

export interface PrivateRedis extends PrivateServer {
  readonly host: string
  readonly port: number
}

/** A Redis of the caller's own, to stop, freeze and kill; null where there is no redis-server on the machine. */
export async function startPrivateRedis(options: { readonly port?: number; readonly password?: string } = {}) {
  const command = await findBinary('redis-server')
  if (command === null) return null
  const host = '127.0.0.1'
  const port = options.port ?? (await freePort())
  const directory = await mkdtemp(join(tmpdir(), 'hub-test-redis-'))
  const args = ['--bind', host, '--port', String(port), '--save', '', '--appendonly', 'no', '--dir', directory]
  if (options.password !== undefined) args.push('--requirepass', options.password)
  const server = await startPrivateServer({
    command,
    args,
    directory,
    ready: () => answers(host, port, ['+PONG', '-NOAUTH'])
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
function answers(host: string, port: number, replies: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: 1000 }, () => socket.write('PING\r\n'))
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
