import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { environmentContent } from '../content.js'
import { type Case, refuses, works } from '../endpoint.js'
import { environment, exactly } from '../shapes.js'
import { listed, type World } from '../world.js'

const make = (world: World, more = {}) => world.make('environments', { name: 'Environment', ...more })
const OWN_PARENT = 'An environment cannot be its own parent, directly or through others.'

/** What environments have beside what all lockable kinds share: parents. */
export const environmentCases: Readonly<Record<string, readonly Case[]>> = {
  'POST /environments': [
    works('a parent and a marker: both are kept', async (world) => {
      const parentUuid = await make(world)
      return {
        body: { name: 'Child', parentUuid, marker: 'teal' },
        check: ({ body }) => {
          const made = exactly(environment, body)
          assert.equal([made.parentUuid, made.marker], [parentUuid, 'teal'])
        }
      }
    }),
    refuses(400, null, 'an unknown parent', () => ({ body: { name: 'Child', parentUuid: randomUUID() } }))
  ],
  'PUT /environments/:id': [
    works('without parentUuid: the parent stays', async (world) => {
      const parentUuid = await make(world)
      return {
        params: { id: await make(world, { parentUuid }) },
        body: environmentContent,
        check: ({ body }) => assert.is(exactly(environment, body).parentUuid, parentUuid)
      }
    }),
    works('parentUuid null: no parent', async (world) => ({
      params: { id: await make(world, { parentUuid: await make(world) }) },
      body: { ...environmentContent, parentUuid: null },
      check: ({ body }) => assert.is(exactly(environment, body).parentUuid, null)
    })),
    refuses(400, OWN_PARENT, 'its own parent', async (world) => {
      const id = await make(world)
      return { params: { id }, body: { ...environmentContent, parentUuid: id } }
    }),
    refuses(400, OWN_PARENT, 'a parent that is below it', async (world) => {
      const id = await make(world)
      const child = await make(world, { parentUuid: await make(world, { parentUuid: id }) })
      return { params: { id }, body: { ...environmentContent, parentUuid: child } }
    })
  ],
  'DELETE /environments/:id': [
    works('it has children: they stay, without a parent', async (world) => {
      const id = await make(world)
      const child = await make(world, { parentUuid: id })
      return {
        params: { id },
        check: async () => {
          const left = (await listed(world, '/environments')).find((record) => record.id === child)
          assert.is(left?.parentUuid, null)
        }
      }
    })
  ]
}
