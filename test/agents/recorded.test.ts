import * as assert from 'uvu/assert'
import { tokensTable } from '../../commands/people/token/table.js'
import { callerOf } from '../../queries/callers.js'
import { type Agent, callTool, recorded, toolNamed } from '../../src/agents/call.js'
import { errors, HubError } from '../../src/errors.js'
import { parse } from '../../src/http/parse.js'
import { timeText } from '../../src/lib/clock.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { sqlite } from '../http/drivers.js'
import { startHub } from '../http/support.js'
import { World } from '../http/world.js'
import { suite } from '../support/suite.js'
import { writingToken } from './support.js'

const test = suite('calls of agents that the log does not take')

/** An agent of a hub whose log takes nothing any more. */
async function withFullLog(use: (agent: Agent, world: World) => Promise<void>): Promise<void> {
  const hub = await startHub(sqlite)
  try {
    const world = await World.of(hub)
    const { token } = await writingToken(hub, world.owner)
    const { ledger } = hub.hub
    const row = await ledger.readModel.get(tokensTable, token.id)
    const caller = await callerOf(ledger.readModel, row, () => timeText(ledger.now()))
    assert.ok(row && caller)
    const run = () => Promise.reject(new StorageUnavailable('The disk is full.'))
    const agent: Agent = {
      ledger: { ...ledger, run },
      ...{ caller, token: row, client: { name: 'c', version: '1' }, parse },
      origin: { tokenId: token.id, address: null, requestId: null },
      isEncrypted: false,
      refusal: (error) => (error instanceof HubError ? error : errors.databaseUnavailable())
    }
    await use(agent, world)
  } finally {
    await hub.close()
  }
}

const refused = (work: Promise<unknown>) => work.then(() => 'an answer', String)
const UNAVAILABLE = /The database is not available/

test('what is read is not told where the call cannot be kept', () =>
  withFullLog(async (agent, world) => {
    const id = await world.collection()
    const tool = toolNamed('get_collection')
    assert.ok(tool)
    assert.match(await refused(callTool(agent, tool, { id })), UNAVAILABLE)
  }))

test('a refusal stays what it was', () =>
  withFullLog(async (agent) => {
    const work = () => Promise.reject(errors.notFound('Request'))
    assert.match(await refused(recorded(agent, { tool: 'get_request', record: () => null }, work)), 'Request not found')
  }))

test.run()
