import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields } from '../client.js'
import { type Row, refuses, type Sent, works } from '../endpoint.js'
import type { World } from '../world.js'

const NONE = 'There is no such way to sign in.'

const absent = (row: Row['row'], sent: Sent | ((world: World) => Promise<Sent>), error = NONE): Row => ({
  row,
  success: 404,
  sample: typeof sent === 'function' ? sent : () => sent,
  cases: [refuses(404, error, 'no provider', {})]
})
const company = { params: { id: 'company' } }
const unknown = { params: { id: randomUUID() } }
const aUser = async (world: World) => ({ params: { id: (await world.user()).id } })

/** Sign-in with providers, of a hub that has none: what it does with one is told beside (`test/signIn/`). */
export const signInRows: readonly Row[] = [
  {
    row: 'GET /auth/sign-in',
    sample: () => ({}),
    cases: [works('no provider', { check: ({ body }) => assert.equal(body, { providers: [] }) })]
  },
  absent('GET /auth/sign-in/:id', company),
  absent('GET /auth/sign-in/:id/callback', company),
  absent('POST /auth/sign-in/:id/logout', { ...company, body: { logout_token: 'x' } }),
  {
    row: 'GET /auth/sign-ins',
    sample: () => ({}),
    cases: [works('none', { check: ({ body }) => assert.equal(body, { signIns: [] }) })]
  },
  absent('POST /auth/sign-ins', { body: { provider: 'company' } }),
  absent('DELETE /auth/sign-ins/:id', unknown, 'Sign-in not found'),
  {
    row: 'GET /admin/users/:id/sign-ins',
    sample: aUser,
    cases: [works('none', { check: ({ body }) => assert.equal(fields(body).signIns, []) })]
  },
  absent('POST /admin/users/:id/sign-ins', async (world) => ({
    ...(await aUser(world)),
    body: { provider: 'company', subject: 'ada' }
  })),
  absent('DELETE /admin/sign-ins/:id', unknown, 'Sign-in not found')
]

/** Whoever is let in by it is let in no more: it comes behind everything else. */
export const signOutRows: readonly Row[] = [
  { row: 'POST /auth/sign-out/everywhere', sample: () => ({}) },
  {
    row: 'POST /auth/sign-out',
    sample: () => ({}),
    cases: [
      works('the token is revoked', async (world) => {
        const one = await world.user()
        return {
          by: one,
          check: async ({ body }) => {
            assert.equal(body, { location: null })
            assert.is(await world.statusWith(one.token), 401)
          }
        }
      })
    ]
  }
]
