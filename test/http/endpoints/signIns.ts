import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields } from '../client.js'
import { type Row, refuses, works } from '../endpoint.js'

const NONE = 'There is no such way to sign in.'

/** Sign-in with providers, of a hub that has none: what it does with one is told beside (`test/signIn/`). */
export const signInRows: readonly Row[] = [
  {
    row: 'GET /auth/sign-in',
    sample: () => ({}),
    cases: [works('no provider', { check: ({ body }) => assert.equal(body, { providers: [] }) })]
  },
  {
    row: 'GET /auth/sign-in/:id',
    success: 404,
    sample: () => ({ params: { id: 'company' } }),
    cases: [refuses(404, NONE, 'no provider', {})]
  },
  {
    row: 'GET /auth/sign-in/:id/callback',
    success: 404,
    sample: () => ({ params: { id: 'company' } }),
    cases: [refuses(404, NONE, 'no provider', {})]
  },
  {
    row: 'POST /auth/sign-in/:id/logout',
    success: 404,
    sample: () => ({ params: { id: 'company' }, body: { logout_token: 'x' } }),
    cases: [refuses(404, NONE, 'no provider', {})]
  },
  {
    row: 'GET /auth/sign-ins',
    sample: () => ({}),
    cases: [works('none', { check: ({ body }) => assert.equal(body, { signIns: [] }) })]
  },
  {
    row: 'POST /auth/sign-ins',
    success: 404,
    sample: () => ({ body: { provider: 'company' } }),
    cases: [refuses(404, NONE, 'no provider', {})]
  },
  {
    row: 'DELETE /auth/sign-ins/:id',
    success: 404,
    sample: () => ({ params: { id: randomUUID() } }),
    cases: [refuses(404, 'Sign-in not found', 'one that there is not', {})]
  },
  {
    row: 'GET /admin/users/:id/sign-ins',
    sample: async (world) => ({ params: { id: (await world.user()).id } }),
    cases: [
      works('none', { check: ({ body }) => assert.equal(fields(body).signIns, []) }),
      refuses(404, 'User not found', 'an account that there is not', { params: { id: randomUUID() } })
    ]
  },
  {
    row: 'POST /admin/users/:id/sign-ins',
    success: 404,
    sample: async (world) => ({
      params: { id: (await world.user()).id },
      body: { provider: 'company', subject: 'ada' }
    }),
    cases: [refuses(404, NONE, 'no provider', {})]
  },
  {
    row: 'DELETE /admin/sign-ins/:id',
    success: 404,
    sample: () => ({ params: { id: randomUUID() } }),
    cases: [refuses(404, 'Sign-in not found', 'one that there is not', {})]
  }
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
            assert.is((await world.by(one).get('/auth/session')).status, 401)
          }
        }
      })
    ]
  }
]
