import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { tables, versions } from '../../projections/index.js'
import { SCHEMA, textOfWriting } from '../../src/release.js'
import { lives, teamSuite, until } from './workers.js'

const LATE = ['{"name":"late","role":"user"}', '{"name":"later","role":"user"}'] as const

const { test, patiently, hub, database } = teamSuite('the end of a hub that two workers serve')

patiently('ends with 0 at SIGTERM after the requests in flight, in both workers', async () => {
  const workers = await hub().both()
  const calls = await Promise.all(LATE.map(requestInFlight))
  const ended = hub().server.stop()
  await sleep(200)
  const statuses = calls.map(async (call, i) => {
    call.end(LATE[i])
    const [response] = await once(call, 'response')
    response.resume()
    return response.statusCode
  })
  assert.equal(await Promise.all(statuses), [201, 201])
  const { code, signal, stderr } = await ended
  assert.equal({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
  assert.equal(workers.map(lives), [false, false])
})

patiently('leaves no worker where its primary is killed: they finish what is in flight, and end', async () => {
  const workers = await hub().both()
  const [body] = LATE
  const call = await requestInFlight(body)
  process.kill(hub().server.pid, 'SIGKILL')
  await sleep(200)
  call.end(body)
  const [response] = await once(call, 'response')
  response.resume()
  assert.is(response.statusCode, 201)
  await until(() => !workers.some(lives))
})

patiently('gives up with a text where workers end as soon as they begin, again and again', async () => {
  const workers = await hub().both()
  await database().remove()
  for (const worker of workers) process.kill(worker, 'SIGKILL')
  const { code, stderr } = await hub().server.ended()
  assert.is(code, 1)
  assert.match(
    stderr,
    /^Every worker has ended 5 times in a row soon after it began; the last one ended with 1\.\n.*database.*\n$/
  )
})

patiently('ends as a whole, and says why once, where another release takes the database over', async () => {
  const storage = await database().open(tables)
  await storage.schema.writeUnder(textOfWriting({ schema: SCHEMA, projections: { ...versions, users: 99 } }))
  await storage.close()
  for (const { status } of await hub().askSome(hub().user, { path: '/auth/session' })) assert.is(status, 503)
  const { code, stderr } = await hub().server.ended()
  assert.is(code, 1)
  assert.match(stderr, /^This hub has stopped: the database was changed by another version since it started\. .*\n$/)
})

patiently('says once what keeps it from starting, and leaves nothing behind', async () => {
  const other = await hub().home.run('start').done
  assert.is(other.code, 1)
  assert.is(
    other.stderr,
    `Port ${hub().port} on 127.0.0.1 is already in use. Stop what listens there, or change server.port.\n`
  )
  hub().configure({ redis: '{driver: memory}' })
  const memory = await hub().home.run('start').done
  assert.is(memory.code, 1)
  assert.match(memory.stderr, /redis\.driver: Each of 2 workers would count failed authentications for itself\./)
})

test.run()

/** A request that a worker has begun to serve and whose body is still to come. */
async function requestInFlight(body: string): Promise<ClientRequest> {
  const headers = {
    authorization: `Bearer ${hub().admin}`,
    'content-type': 'application/json',
    'content-length': body.length,
    expect: '100-continue'
  }
  const call = request({
    port: hub().port,
    host: '127.0.0.1',
    agent: false,
    method: 'POST',
    path: '/admin/users',
    headers
  })
  call.flushHeaders()
  await once(call, 'continue')
  return call
}
