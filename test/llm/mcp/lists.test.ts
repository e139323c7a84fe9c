import { ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js'
import * as assert from 'uvu/assert'
import { suite } from '../../support/suite.js'
import { streamableServer, type TestServer } from './servers.js'
import { callTool, echo, hubWith, joined, namesOf, never, serverAt, until } from './support.js'

const test = suite('lists of tools of tool servers')
type Page = (cursor: string | undefined) => { readonly tools: readonly unknown[]; readonly nextCursor?: string }

/** A server that lists whatever the test wants. */
function listing(page: Page): Promise<TestServer> {
  return streamableServer({
    tools: (mcp) => {
      echo(mcp)
      // As a server in another language would, which no type holds back.
      mcp.server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
        const { tools, nextCursor } = page(params?.cursor)
        return { tools: tools as Tool[], ...(nextCursor !== undefined && { nextCursor }) }
      })
    }
  })
}

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })
const large = (name: string, chars: number) => ({ ...tool(name), description: 'x'.repeat(chars) })
const TOO_MANY = ['A tool server has too many tools, or too large ones']

test('a list in pages is read to its end, and one without end is left off', async () => {
  const paged = await joined(
    listing((cursor) => (cursor === undefined ? { tools: [tool('a')], nextCursor: '2' } : { tools: [tool('b')] }))
  )
  assert.equal(namesOf(await paged.hub.tools.tools(never)), ['hubmcp__0__a', 'hubmcp__0__b'])
  const endless = await joined(listing((cursor = '') => ({ tools: [tool(`t${cursor}`)], nextCursor: `${cursor}x` })))
  assert.is((await endless.hub.tools.tools(never)).length, 64)
})

test('tools that are too many, too large, or too large together are left out, and the log says so', async () => {
  const many = await joined(
    listing(() => ({ tools: ['a', 'b', 'c'].map(tool) })),
    { tools: 2 }
  )
  assert.equal(namesOf(await many.hub.tools.tools(never)), ['hubmcp__0__a', 'hubmcp__0__b'])
  const tools = [large('huge', 70_000), ...Array.from({ length: 40 }, (_, at) => large(`t${at}`, 60_000))]
  const heavy = await joined(listing(() => ({ tools })))
  const offered = namesOf(await heavy.hub.tools.tools(never))
  assert.equal([offered.length, offered[0], offered.at(-1)], [17, 'hubmcp__0__t0', 'hubmcp__0__t16'])
  for (const { hub } of [many, heavy])
    assert.equal(
      hub.warnings.map(({ message }) => message),
      TOO_MANY
    )
})

test('what is no tool, or can only be called as a task, is left out, and what is missing is made up', async () => {
  const task = { ...tool('slow'), execution: { taskSupport: 'required' } }
  const { hub } = await joined(listing(() => ({ tools: [{ title: 'no name' }, 7, task, { name: 'bare' }] })))
  const parameters = { type: 'object', properties: {}, additionalProperties: true }
  assert.equal(
    (await hub.tools.tools(never)).map(({ definition }) => definition),
    [{ type: 'function', function: { name: 'hubmcp__0__bare', description: 'MCP tool bare', parameters } }]
  )
})

test('a schema that nobody can compile does not matter', async () => {
  const outputSchema = { type: 'object', properties: { a: { $ref: '#/nowhere' } } }
  const { hub } = await joined(listing(() => ({ tools: [{ ...tool('echo'), outputSchema }] })))
  assert.equal(await callTool(hub, 'hubmcp__0__echo', { text: 'hello' }), { text: 'hello', ok: true })
})

test('a tool with a strange name is called by the name that its server knows', async () => {
  const { hub } = await joined(
    streamableServer({
      tools: (mcp) =>
        mcp.registerTool(`find/user ${'x'.repeat(80)}`, {}, () => ({ content: [{ type: 'text', text: 'found' }] }))
    })
  )
  const [name] = namesOf(await hub.tools.tools(never))
  assert.match(name ?? '', /^hubmcp__0__[a-zA-Z0-9_-]{53}$/)
  assert.equal(await callTool(hub, name ?? ''), { text: 'found', ok: true })
})

test('an old list is asked for again', async () => {
  const { server, hub } = await joined(streamableServer({ tools: echo }), { listAge_ms: 60_000 })
  const lists = () => server.requests.filter((request) => request.endsWith('tools/list')).length
  await hub.tools.tools(never)
  hub.clock.advance(59_999)
  await hub.tools.tools(never)
  assert.is(lists(), 1)
  hub.clock.advance(1)
  await hub.tools.tools(never)
  assert.equal([lists(), server.sessions.length], [2, 1])
})

test('a server that is gone when its list is old is left out at once', async () => {
  const { server, hub } = await joined(streamableServer({ tools: echo }))
  await hub.tools.tools(never)
  await server.stop()
  hub.clock.advance(1_000_000)
  assert.equal(await hub.tools.tools(never), [])
})

test('a changed entry is connected anew, the others stay, and a call that runs finishes', async () => {
  const first = await streamableServer({ tools: echo })
  const waiting: ((text: string) => void)[] = []
  const second = await streamableServer({
    tools: (mcp) =>
      mcp.registerTool('wait', {}, () => {
        return new Promise((resolve) => {
          waiting.push((text) => resolve({ content: [{ type: 'text', text }] }))
        })
      })
  })
  const hub = hubWith([serverAt(first.url), serverAt(second.url)])
  const call = callTool(hub, 'hubmcp__1__wait')
  await until(() => waiting.length > 0)
  hub.tools.reload([serverAt(second.url, [['x-new', 'yes']]), serverAt(first.url)])
  assert.equal(namesOf(await hub.tools.tools(never)), ['hubmcp__0__wait', 'hubmcp__1__echo'])
  assert.equal([first.sessions.length, second.sessions.length], [1, 2])
  waiting[0]?.('in time')
  assert.equal(await call, { text: 'in time', ok: true })
  await until(() => second.requests.some((request) => request.startsWith('DELETE')))
})

test('a tool of an entry that is gone says that it cannot be reached', async () => {
  const { hub } = await joined(streamableServer({ tools: echo }))
  const [gone] = await hub.tools.tools(never)
  hub.tools.reload([])
  assert.equal(await hub.tools.tools(never), [])
  assert.is((await gone?.call({ text: 'hello' }, never))?.ok, false)
})

test.run()
