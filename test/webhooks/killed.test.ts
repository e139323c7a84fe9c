import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { newHome } from '../cli/support.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { firstStart, withId } from '../whole/client.js'
import { changeIn, startReceiver, subjects } from './receiver.js'
import { until } from './support.js'

const WRITES = 300
const KILL_AFTER = 60
const listed = z.object({ folders: z.array(withId) })
const made = z.object({ webhook: withId, secret: z.string() })

const test = suite('webhooks of a hub that is killed')

test('nothing is missing after the next start, the order is that of the log, and a repeat has the id of the first', async () => {
  const [home, receiver] = [await newHome(), await startReceiver()]
  const port = await freePort()
  home.configure({ port })
  const settings = `{keyFile: webhook-key, allowPrivateAddresses: ['127.0.0.1'], timeoutSeconds: 1}`
  appendFileSync(join(home.path, 'server.yaml'), `webhooks: ${settings}\n`)
  const { server, call, user, admin } = await firstStart(home, port)
  const { id } = withId.parse(await call(user, 'POST', '/collections', { name: 'Payments' }))
  made.parse(await call(admin, 'POST', '/webhooks', { url: receiver.url, kinds: ['folder'] }))
  const write = async () => {
    for (let next = 0; next < WRITES; next++)
      await call(user, 'POST', `/collections/${id}/folders`, { name: `Folder ${next}` })
  }
  const writing = write().catch(() => {})
  await until(() => receiver.received.length >= KILL_AFTER)
  await server.stop('SIGKILL')
  await writing
  const before = receiver.received.length
  const again = await home.start(['start'])
  await call(user, 'POST', `/collections/${id}/folders`, { name: 'After the restart' })
  const { folders } = listed.parse(await call(user, 'GET', `/collections/${id}/folders`))
  assert.ok(folders.length < WRITES, 'the kill came in the middle')
  const wanted = new Set(folders.map((folder) => folder.id))
  await until(() => new Set(subjects(receiver)).size >= wanted.size)
  assert.ok(receiver.received.length > before, 'something was left to deliver')
  assert.equal(new Set(subjects(receiver)), wanted)
  const byId = new Map(receiver.received.toReversed().map((one) => [one.messageId, one]))
  assert.is(byId.size, wanted.size)
  for (const one of receiver.received) assert.is(one.body, byId.get(one.messageId)?.body)
  const firsts = receiver.received.filter((one) => byId.get(one.messageId) === one)
  const positions = firsts.map((one) => changeIn(one).position)
  assert.equal(
    positions,
    positions.toSorted((a, b) => a - b)
  )
  await again.stop()
})

test.run()
