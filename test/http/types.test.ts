import * as assert from 'uvu/assert'
import { type Fields, fields } from './client.js'
import { sqlite } from './drivers.js'
import { addressOf, type Endpoint, usualCaller } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import type { World } from './world.js'

let world: World
const test = hubSuite('wrong types', sqlite, (made) => {
  world = made
})

const userFields = {
  collectionAccess: ['*'],
  environmentAccess: ['*'],
  snippetAccess: ['*'],
  llmAccess: true,
  llmModels: ['*'],
  llmMonthlyTokenLimit: 1000
}
const marker = { marker: 'red' }
const webhookFields = { kinds: ['request'], types: ['RequestUpdated'], description: 'x' }

/** Fields that a route takes besides those of its sample. */
const optional: Readonly<Record<string, Fields>> = {
  'POST /admin/users': userFields,
  'PUT /admin/users/:id': { name: 'Somebody', role: 'user', ...userFields },
  'POST /admin/invited-users': { ...userFields, expiresInHours: 1 },
  'POST /admin/users/:id/invitations': { expiresInHours: 1 },
  'POST /auth/invitations/redeem': { tokenName: 'x' },
  'POST /collections': marker,
  'PUT /collections/:id': marker,
  'POST /environments': { ...marker, parentUuid: null },
  'PUT /environments/:id': { ...marker, parentUuid: null },
  'POST /snippets': { code: 'x', scope: 'any' },
  'PUT /snippets/:id': { sortOrder: 1 },
  'PUT /admin/snippets/:id': { name: 'x', code: 'x', scope: 'any' },
  'POST /collections/:collectionId/folders': { ...marker, parentFolderId: null },
  'PATCH /folders/:id': marker,
  'PUT /folders/:id/move': { sortOrder: 1 },
  'PUT /collections/:collectionId/folders/reorder': { parentFolderId: null },
  'POST /collections/:collectionId/requests': { ...marker, folderId: null, protocol: 'http' },
  'PUT /requests/:id': { ...marker, folderId: null, protocol: 'http' },
  'POST /collections/:collectionId/documents': { ...marker, folderId: null },
  'PUT /documents/:id': { ...marker, folderId: null },
  'POST /run-results': { label: 'x' },
  'POST /webhooks': webhookFields,
  'PUT /webhooks/:id': { ...webhookFields, isEnabled: true }
}

/** Fields that may be null, or hold anything at all. */
const NULLABLE =
  /^(marker|parentUuid|parentFolderId|folderId|llmMonthlyTokenLimit|messages\.0\.content|port|lastOpenedPath|faviconDataUrl)$/
/** That these fields are null means something, and not to whom it is asked here. */
const REFUSED_AS_NULL = /^(POST|PUT) \/webhooks\S* collectionId$/
const ANYTHING = /^payload\.(?!harborclientExport|results$)/
/** What live servers and live pages hold of any shape, and the lists of it. */
const FREE = /^PUT \/live-\S+ (auth|(scripts|variables|\w+RequestScripts)\.)/
const FREE_LIST = /^PUT \/live-\S+ (scripts|variables|\w+RequestScripts)$|^PUT \/live-pages\S* headers$/

const WRONG: readonly unknown[] = [null, 7.5, 'text', true, {}, [7]]

/** What is of another type than a valid value, or in the same type cannot be meant. */
function wrongFor(row: string, path: string, valid: unknown): readonly unknown[] {
  const place = `${row} ${path}`
  if (ANYTHING.test(path) || FREE.test(place)) return []
  const isNullable = NULLABLE.test(path) || REFUSED_AS_NULL.test(place)
  return WRONG.filter((wrong) => {
    if (wrong === null) return !isNullable
    if (Array.isArray(valid)) return !Array.isArray(wrong) || !(path.startsWith('payload.') || FREE_LIST.test(place))
    if (Array.isArray(wrong)) return true
    if (valid === null) return typeof wrong !== 'string'
    return typeof wrong !== typeof valid || typeof wrong === 'number'
  })
}

/** Every value in a body, by its path. */
function* leaves(value: unknown, path: readonly string[] = []): Generator<readonly [readonly string[], unknown]> {
  if (path.length > 0) yield [path, value]
  if (typeof value !== 'object' || value === null) return
  const entries = Array.isArray(value) ? Object.entries(value.slice(0, 1)) : Object.entries(value)
  for (const [key, inner] of entries) yield* leaves(inner, [...path, key])
}

/** A copy of a body in which one value is another. */
function replaced(body: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(body)) return body.map((item, i) => (String(i) === key ? replaced(item, rest, value) : item))
  return { ...fields(body), [key]: replaced(fields(body)[key], rest, value) }
}

async function assertTyped(endpoint: Endpoint): Promise<void> {
  const sample = await endpoint.sample(world)
  const body = { ...fields(sample.body), ...optional[endpoint.row] }
  const { token } = usualCaller(endpoint, world) ?? {}
  for (const [path, valid] of leaves(body)) {
    for (const wrong of wrongFor(endpoint.row, path.join('.'), valid)) {
      const call = { ...addressOf(endpoint, sample), token, body: replaced(body, path, wrong) }
      const reply = await world
        .refused(400, () => world.hub.send(call))
        .catch((error: Error) => {
          throw new Error(`${path.join('.')} as ${JSON.stringify(wrong)}: ${error.message}`, { cause: error })
        })
      assert.ok(reply.text.length < 200, reply.text)
    }
  }
}

// These have no body; everything else that changes something by POST, PUT or PATCH has. What is wrong with a message of an agent is
// answered in its protocol: test/agents/.
const BODILESS = /\/(reload|tickets|rotate|enable|test|mcp|read|read-all|subscribe|unsubscribe)$/
for (const endpoint of endpoints.filter(({ row }) => /^P/.test(row) && !BODILESS.test(row))) {
  test(`${endpoint.row}: every field of another type is 400, and nothing changes`, () => assertTyped(endpoint))
}

test('every row with optional fields is a row of the tables', () => {
  const rows = new Set<string>(endpoints.map(({ row }) => row))
  assert.equal(
    Object.keys(optional).filter((row) => !rows.has(row)),
    []
  )
})

test.run()
