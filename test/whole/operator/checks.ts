import * as assert from 'uvu/assert'
import { z } from 'zod'
import type { Home } from '../../cli/support.js'
import { type Call, withId } from '../client.js'

const listed = z.object({ folders: z.array(withId) })
const verified = z.object({
  equal: z.boolean(),
  position: z.number(),
  tables: z.array(z.object({ table: z.string(), rows: z.number(), live: z.string(), replayed: z.string() }))
})

/** Runs a command that must succeed, as a process of its own, and returns what it prints. */
export async function ok(home: Home, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await home.hub(...args)
  assert.is(code, 0, `hub ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

/** The digests of the read tables, which are those of a replay. */
export async function digests(home: Home) {
  const { equal, tables } = verified.parse(JSON.parse(await ok(home, 'projections', 'verify', '--json')))
  assert.ok(equal, 'the read tables are a replay of the log')
  return tables
}

/** The ids of a collection's folders, as this hub tells them. */
export async function foldersAt(call: Call, token: string, collectionId: string): Promise<ReadonlySet<string>> {
  const { folders } = listed.parse(await call(token, 'GET', `/collections/${collectionId}/folders`))
  return new Set(folders.map(({ id }) => id))
}
