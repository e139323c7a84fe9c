import { once } from 'node:events'
import { Agent, type ClientRequest, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { stoppable } from '../../cli/lib/signals.js'
import { suite } from '../support/suite.js'
import { firstSecret, onNewHub } from './support.js'

const test = suite('stopping a hub')
const BODY = JSON.stringify({ name: 'late', role: 'user' })
const agent = new Agent({ keepAlive: true })
const hub = onNewHub(test)
test.after(() => agent.destroy())

/** A request that the server has begun to serve and whose body is still to come. */
async function requestInFlight(): Promise<ClientRequest> {
  const headers = {
    authorization: `Bearer ${firstSecret(hub.server)}`,
    'content-type': 'application/json',
    'content-length': BODY.length,
    expect: '100-continue'
  }
  const call = request({ port: hub.port, host: '127.0.0.1', agent, method: 'POST', path: '/admin/users', headers })
  call.on('error', () => undefined)
  call.flushHeaders()
  await once(call, 'continue')
  return call
}

async function acceptsNoMore(): Promise<void> {
  for (;;) {
    const socket = connect(hub.port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false
    )
    socket.destroy()
    if (!isOpen) return
    await sleep(20)
  }
}

test('SIGTERM ends it with 0 after the requests in flight, whatever else is connected, and the log tells all of it', async () => {
  process.kill(hub.server.pid, 'SIGHUP')
  while (!hub.server.stdout().includes('"configuration reloaded"')) await sleep(20)
  const call = await requestInFlight()
  const silent = connect(hub.port, '127.0.0.1')
  await once(silent, 'connect')
  const ended = hub.server.stop()
  await acceptsNoMore()
  call.end(BODY)
  const [response] = await once(call, 'response')
  assert.is(response.statusCode, 201)
  response.resume()
  const { code, signal, stderr, stdout } = await ended
  assert.equal({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
  const messages = stdout.split('\n').flatMap((line) => /^\{.*"msg":"([a-z ]+)"/.exec(line)?.[1] ?? [])
  assert.equal(messages, ['started', 'configuration reloaded', 'stopping', 'stopped'])
})

test('SIGTERM ends it at once although somebody follows the feed, who is told that it is over', async () => {
  const headers = { authorization: `Bearer ${firstSecret(hub.server)}`, accept: 'text/event-stream' }
  const call = request({ port: hub.port, host: '127.0.0.1', path: '/changes', headers })
  call.end()
  const [response] = await once(call, 'response')
  assert.is(response.statusCode, 200)
  response.resume()
  const over = once(response, 'end')
  const begun = performance.now()
  const { code, signal } = await hub.server.stop()
  await over
  assert.equal({ code, signal }, { code: 0, signal: null })
  assert.ok(performance.now() - begun < 15_000, 'an open stream held up the end')
})

test('SIGTERM ends it within seconds although a body is still to come, and half a head', async () => {
  await requestInFlight()
  const silent = connect(hub.port, '127.0.0.1')
  silent.on('error', () => undefined)
  silent.write('GET /health HTTP/1.1\r\nHost: h\r\n\r\nGET /health HTTP')
  await once(silent, 'data')
  const begun = performance.now()
  const { code, signal, stderr } = await hub.server.stop()
  assert.equal({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
  assert.ok(performance.now() - begun < 15_000, 'a body that did not come held up the end')
})

test('a second signal ends it at once, but not the echo of the first', async () => {
  await requestInFlight()
  process.kill(hub.server.pid, 'SIGINT')
  process.kill(hub.server.pid, 'SIGINT')
  await acceptsNoMore()
  await sleep(700)
  assert.is((await hub.server.stop('SIGINT')).code, 130)
})

test.run()

const commands = suite('stopping a command')

commands('the echo of a signal does not end a command that clears up', async () => {
  await stoppable(async (signal) => {
    assert.ok(process.emit('SIGINT', 'SIGINT'))
    assert.ok(signal.aborted)
    assert.ok(process.emit('SIGINT', 'SIGINT'), 'else Node ends the process')
  })
  assert.not.ok(process.listenerCount('SIGINT'))
})

commands.run()
