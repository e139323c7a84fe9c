import * as assert from 'uvu/assert'
import { createHubTools, type HubTool, type ToolDefinition } from '../../../src/llm/tools.js'
import { suite } from '../../support/suite.js'
import { never } from './support.js'

const test = suite('the tools of a hub')

const define = (name: string): ToolDefinition => ({ type: 'function', function: { name } })
const hubTool = (name: string): HubTool => ({
  definition: define(name),
  call: async () => ({ text: name, ok: true })
})

const DOCS = hubTool('search_docs')
const OWN = [hubTool('hubmcp__0__a'), hubTool('hubmcp__1__b')]

async function offered(clientTools: readonly ToolDefinition[], searchable: boolean) {
  let asked = 0
  const docs = {
    tool: DOCS,
    available: async () => {
      asked++
      return searchable
    }
  }
  const tools = createHubTools({ tools: async () => OWN }, docs)
  return { ...(await tools.offered(clientTools, never)), asked: () => asked }
}

const own = OWN.map(({ definition }) => definition)

const strange = { type: 'retrieval', anything: [1] }
const [docs, time] = [define('search_docs'), define('get_time')]

test('the tools of servers come before those of the client, which stay as they are', async () => {
  for (const [given, searchable, left] of [
    [[time, strange], false, [time, strange]],
    [[docs, time], true, [docs, time]],
    // It is taken out where the hub cannot search.
    [[docs, time], false, [time]],
    // A client cannot stand in for a tool of the hub.
    [[define('hubmcp__0__a'), time], false, [time]]
  ] as const) {
    assert.equal((await offered(given, searchable)).tools, [...own, ...left])
  }
})

test('search_docs is not added for clients that do not bring it, and nobody looks whether it could be', async () => {
  const { tools, asked } = await offered([time], true)
  assert.equal(tools, [...own, time])
  assert.is(asked(), 0)
})

test('tools of the hub are found by name, and those of the client are not', async () => {
  const { find } = await offered([time], false)
  assert.is(find('hubmcp__1__b'), OWN[1])
  assert.is(find('search_docs'), DOCS)
  assert.is(find('get_time'), null)
  assert.is(find('hubmcp__7__a'), null)
})

test.run()
