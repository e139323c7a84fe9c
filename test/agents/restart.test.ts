import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { newHome } from '../cli/support.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { firstStart } from '../whole/client.js'

const test = suite('agents of a hub that is killed')

const result = z.object({ structuredContent: z.looseObject({}) })
const written = z.object({ id: z.string(), revision: z.number() })
const collection = z.object({ id: z.string() })
const issued = z.object({ secret: z.string() })
const users = z.object({ users: z.array(z.object({ id: z.string(), name: z.string() })) })
const audit = z.object({ entries: z.array(z.looseObject({ changes: z.unknown() })) })

test('a session goes on behind a kill and a start, with everything that was acknowledged and under the same name', async () => {
  const home = await newHome()
  const port = await freePort()
  home.configure({ port })
  const { server, call, admin, user } = await firstStart(home, port)
  const ada = users.parse(await call(admin, 'GET', '/admin/users')).users.find(({ name }) => name === 'ada')
  const body = { name: 'editor', agentWrites: true }
  const { secret } = issued.parse(await call(admin, 'POST', `/admin/users/${ada?.id}/tokens`, body))
  const { id: collectionId } = collection.parse(await call(user, 'POST', '/collections', { name: 'Payments' }))

  const client = new Client({ name: 'survivor', version: '1.0' })
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${secret}` } }
  })
  await client.connect(transport)
  const session = transport.sessionId
  const answer = async (name: string, args: object) =>
    result.parse(await client.callTool({ name, arguments: { ...args } })).structuredContent
  const { id, revision } = written.parse(await answer('create_request', { collectionId, name: 'First', url: '' }))

  await server.stop('SIGKILL')
  await assertRefused(answer('list_collections', {}))
  const again = await home.start(['start'])

  const second = written.parse(await answer('update_request', { id, revision, name: 'Second' }))
  assert.ok(second.revision > revision)
  const { requests } = await answer('list_requests', { collectionId })
  assert.equal(z.array(z.object({ name: z.string() })).parse(requests), [{ name: 'Second' }])
  assert.is(transport.sessionId, session)
  const { entries } = audit.parse(await call(admin, 'GET', '/admin/audit?type=AgentToolCalled'))
  assert.is(entries.length, 3)
  for (const { changes } of entries) assert.match(JSON.stringify(changes), '"name":"survivor"')
  await again.stop()
})

/** Nobody is there to answer. */
async function assertRefused(work: Promise<unknown>): Promise<void> {
  assert.ok(
    await work.then(
      () => false,
      () => true
    )
  )
}

test.run()
