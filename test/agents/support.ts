import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { type Fields, fields } from '../http/client.js'
import type { Account, TestHub } from '../http/support.js'

/** An agent that is connected to a hub by the SDK's own client. */
export interface TestAgent {
  readonly client: Client
  /** Calls a tool and returns what it answers, which the client has checked against the tool's schema. */
  call(tool: string, args?: Fields): Promise<Fields>
  /** Calls a tool that answers with an error, and returns its text. */
  refused(tool: string, args?: Fields): Promise<string>
}

/** Connects to the hub at this address, by name. */
export async function connectAgent(url: string, token: string, name = 'tester'): Promise<TestAgent> {
  const client = new Client({ name, version: '1.0' })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }))
  // Without them the client does not know what answers have to be.
  await client.listTools()
  const result = async (tool: string, args: Fields) =>
    CallToolResultSchema.parse(await client.callTool({ name: tool, arguments: args }))
  return {
    client,
    async call(tool, args = {}) {
      const { isError = false, content, structuredContent } = await result(tool, args)
      assert.not.ok(isError, textOf(content))
      assert.equal(JSON.parse(textOf(content)), structuredContent, 'text and structure say the same')
      return fields(structuredContent)
    },
    async refused(tool, args = {}) {
      const { isError = false, content } = await result(tool, args)
      assert.ok(isError, textOf(content))
      return textOf(content)
    }
  }
}

const texts = z.tuple([z.object({ type: z.literal('text'), text: z.string() })])

function textOf(content: unknown): string {
  return texts.parse(content)[0].text
}

const issued = z.object({ token: z.object({ id: z.string() }), secret: z.string() })

/** A further token of an account, with which agents may write. */
export async function writingToken({ send, admin }: TestHub, { id }: Account): Promise<z.infer<typeof issued>> {
  const body = { name: 'editor', agentWrites: true }
  const { body: made } = await send({ method: 'POST', path: `/admin/users/${id}/tokens`, token: admin.token, body })
  return issued.parse(made)
}
