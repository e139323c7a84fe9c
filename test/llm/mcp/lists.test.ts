import { ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js'
import * as assert from 'uvu/assert'
import { suite } from '../../support/suite.js'
import { streamableServer, type TestServer } from './servers.js'
import { callTool, echo, hubWith, namesOf, never, serverAt, type TestHub, until } from './support.js'

const test = suite('lists of tools of tool servers')

let server: TestServer | undefined
let hub: TestHub | undefined

test.after.each(async () => {
  await hub?.tools.close()
  await server?.stop()
})

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

test('a list in pages is read to its end', async () => {
  server = await listing((cursor) =>
    cursor === undefined ? { tools: [tool('a')], nextCursor: '2' } : { tools: [tool('b')] }
  )
  hub = hubWith([serverAt(server.url)])
  assert.equal(namesOf(await hub.tools.tools(never)), ['hubmcp__0__a', 'hubmcp__0__b'])
})

test('a list without end is left off', async () => {
  server = await listing((cursor) => ({ tools: [tool(`t${cursor ?? ''}`)], nextCursor: `${cursor ?? ''}x` }))
  hub = hubWith([serverAt(server.url)])
  assert.is((await hub.tools.tools(never)).length, 64)
})

test('more tools than are of use are left out, and the log says so', async () => {
  server = await listing(() => ({ tools: ['a', 'b', 'c'].map(tool) }))
  hub = hubWith([serverAt(server.url)], { tools: 2 })
  assert.equal(namesOf(await hub.tools.tools(never)), ['hubmcp__0__a', 'hubmcp__0__b'])
  assert.is(hub.warnings[0]?.message, 'A tool server has too many tools, or too large ones')
})

test('a tool whose definition is too large is left out, and so is what is too much together', async () => {
  const large = (name: string, chars: number) => ({ ...tool(name), description: 'x'.repeat(chars) })
  const names = Array.from({ length: 40 }, (_, at) => `t${at}`)
  server = await listing(() => ({ tools: [large('huge', 70_000), ...names.map((name) => large(name, 60_000))] }))
  hub = hubWith([serverAt(server.url)])
  const offered = namesOf(await hub.tools.tools(never))
  assert.equal([offered.length, offered[0], offered.at(-1)], [17, 'hubmcp__0__t0', 'hubmcp__0__t16'])
  assert.is(hub.warnings[0]?.message, 'A tool server has too many tools, or too large ones')
})

test('what is no tool is left out, and what is missing is made up', async () => {
  server = await listing(() => ({ tools: [tool('a'), { title: 'no name' }, 7, { name: 'bare' }] }))
  hub = hubWith([serverAt(server.url)])
  const [, bare] = await hub.tools.tools(never)
  assert.equal(bare?.definition, {
    type: 'function',
    function: {
      name: 'hubmcp__0__bare',
      description: 'MCP tool bare',
      parameters: { type: 'object', properties: {}, additionalProperties: true }
    }
  })
})

test('a tool that can only be called as a task is left out', async () => {
  server = await listing(() => ({ tools: [{ ...tool('slow'), execution: { taskSupport: 'required' } }, tool('a')] }))
  hub = hubWith([serverAt(server.url)])
  assert.equal(namesOf(await hub.tools.tools(never)), ['hubmcp__0__a'])
})

test('a schema that nobody can compile does not matter', async () => {
  const outputSchema = { type: 'object', properties: { a: { $ref: '#/nowhere' } } }
  server = await listing(() => ({ tools: [{ ...tool('echo'), outputSchema }] }))
  hub = hubWith([serverAt(server.url)])
  assert.equal(await callTool(hub, 'hubmcp__0__echo', { text: 'hello' }), { text: 'hello', ok: true })
})

test('a tool with a strange name is called by the name that its server knows', async () => {
  server = await streamableServer({
    tools: (mcp) =>
      mcp.registerTool(`find/user ${'x'.repeat(80)}`, {}, () => ({ content: [{ type: 'text', text: 'found' }] }))
  })
  hub = hubWith([serverAt(server.url)])
  const [name = null] = namesOf(await hub.tools.tools(never))
  assert.match(name ?? '', /^hubmcp__0__[a-zA-Z0-9_-]{53}$/)
  assert.equal(await callTool(hub, name ?? ''), { text: 'found', ok: true })
})

test('an old list is asked for again', async () => {
  server = await streamableServer({ tools: echo })
  hub = hubWith([serverAt(server.url)], { listAge_ms: 60_000 })
  const lists = () => server?.requests.filter((request) => request.endsWith('tools/list')).length
  await hub.tools.tools(never)
  hub.clock.advance(59_999)
  await hub.tools.tools(never)
  assert.is(lists(), 1)
  hub.clock.advance(1)
  await hub.tools.tools(never)
  assert.is(lists(), 2)
  assert.is(server.sessions.length, 1)
})

test('a server that is gone when its list is old is left out at once', async () => {
  server = await streamableServer({ tools: echo })
  hub = hubWith([serverAt(server.url)])
  await hub.tools.tools(never)
  await server.stop()
  hub.clock.advance(1_000_000)
  assert.equal(await hub.tools.tools(never), [])
})

test('a changed entry is connected anew, the others stay, and a call that runs finishes', async () => {
  const first = await streamableServer({ tools: echo })
  let finish = (_text: string) => {}
  let running = () => {}
  const isRunning = new Promise<void>((resolve) => {
    running = resolve
  })
  server = await streamableServer({
    tools: (mcp) =>
      mcp.registerTool('wait', {}, () => {
        running()
        return new Promise((resolve) => {
          finish = (text) => resolve({ content: [{ type: 'text', text }] })
        })
      })
  })
  try {
    hub = hubWith([serverAt(first.url), serverAt(server.url)])
    const call = callTool(hub, 'hubmcp__1__wait')
    await isRunning
    hub.tools.reload([serverAt(server.url, [['x-new', 'yes']]), serverAt(first.url)])
    assert.equal(namesOf(await hub.tools.tools(never)), ['hubmcp__0__wait', 'hubmcp__1__echo'])
    assert.is(first.sessions.length, 1)
    assert.is(server.sessions.length, 2)
    finish('in time')
    assert.equal(await call, { text: 'in time', ok: true })
    await until(() => server?.requests.some((request) => request.startsWith('DELETE')) === true)
  } finally {
    await first.stop()
  }
})

test('a tool of an entry that is gone says that it cannot be reached', async () => {
  server = await streamableServer({ tools: echo })
  hub = hubWith([serverAt(server.url)])
  const [gone] = await hub.tools.tools(never)
  hub.tools.reload([])
  assert.equal(await hub.tools.tools(never), [])
  assert.is((await gone?.call({ text: 'hello' }, never))?.ok, false)
})

test.run()
