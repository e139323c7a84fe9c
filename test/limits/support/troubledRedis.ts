import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { type PrivateRedis, startPrivateRedis } from '../../support/redis-service.js'

/** How long it is left alone, frozen, and dead. */
const REST_MS = 2000
const FROZEN_MS = 1500
const DEAD_MS = 500

/** A Redis that is flushed, frozen and killed, in turns, until it is stopped. */
export interface TroubledRedis {
  readonly host: string
  readonly port: number
  /** How often it has been in trouble. */
  readonly troubles: () => number
  stop(): Promise<void>
}

/** Starts one. */
export async function startTroubledRedis(): Promise<TroubledRedis> {
  let server = await started()
  const { host, port } = server
  let [isOver, troubles] = [false, 0]
  const flush = () => flushed(host, port)
  const freeze = async () => {
    process.kill(server.pid, 'SIGSTOP')
    await sleep(FROZEN_MS)
    process.kill(server.pid, 'SIGCONT')
  }
  const kill = async () => {
    process.kill(server.pid, 'SIGKILL')
    await server.stop()
    await sleep(DEAD_MS)
    server = await started(port)
  }
  const run = async () => {
    while (!isOver) {
      await sleep(REST_MS)
      await [flush, freeze, kill][troubles++ % 3]?.()
    }
  }
  const running = run()
  return {
    host,
    port,
    troubles: () => troubles,
    async stop() {
      isOver = true
      await running
      await server.stop()
    }
  }
}

async function started(port?: number): Promise<PrivateRedis> {
  const server = await startPrivateRedis(port === undefined ? {} : { port })
  assert.ok(server, 'no redis-server on PATH')
  return server
}

function flushed(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => socket.write('FLUSHALL\r\n'))
    socket.once('error', reject)
    socket.once('data', () => socket.end(resolve))
  })
}
