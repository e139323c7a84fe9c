import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id, marker, name, sent } from '../../../commands/content.js'
import { existing, requireAccess } from '../../../commands/lockable.js'
import { environmentsTable } from '../../../projections/environments.js'
import { environmentRecord, listEnvironments } from '../../../queries/environments.js'
import { listOf } from '../../limits.js'
import { listing } from '../lists.js'
import { noContent, record } from '../reply.js'
import { routes } from '../route.js'
import { asOf, moment } from './history.js'
import { idParams } from './input.js'

const optional = { marker: marker.optional(), parentUuid: id.nullish() }
const creation = z.object({ name, ...optional })
const content = z.object({ name, variables: listOf(sent.variable), ...optional })

/** Environments for clients (section 4, Environments). */
export function environmentRoutes(app: FastifyInstance): void {
  const route = routes(app)

  route('GET', '/environments', { access: 'any' }, ({ hub, caller }) =>
    listing(hub.ledger.view, listEnvironments(caller.role === 'admin' ? ['*'] : caller.environmentAccess))
  )

  route('POST', '/environments', { body: creation, takes: 'content', access: 'user' }, async ({ body, change }) => {
    const row = await change({ type: 'CreateEnvironment', id: randomUUID(), ...body }, environmentsTable)
    return record(environmentRecord(row), row)
  })

  route('GET', '/environments/:id', { params: idParams, query: moment, access: 'user' }, async (call) => {
    const { params, caller, hub } = call
    requireAccess(caller, 'environment', params.id)
    const row = await existing('environment', environmentsTable, params.id, hub.ledger.view)
    return asOf(call, 'environment', row)
  })

  route(
    'PUT',
    '/environments/:id',
    { params: idParams, body: content, takes: 'content', access: 'user' },
    async (call) => {
      const { params, body, ifRevision, change } = call
      const command = { type: 'UpdateEnvironment', id: params.id, content: body, ifRevision } as const
      const row = await change(command, environmentsTable)
      return record(environmentRecord(row), row)
    }
  )

  route('DELETE', '/environments/:id', { params: idParams, access: 'user' }, async ({ params, ifRevision, run }) => {
    await run({ type: 'DeleteEnvironment', id: params.id, ifRevision })
    return noContent
  })
}
