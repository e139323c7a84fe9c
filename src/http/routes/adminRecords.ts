import type { FastifyInstance } from 'fastify'
import { existing } from '../../../commands/records/kind.js'
import { KINDS, kinds } from '../../../commands/records/kinds.js'
import { oneOf, records, tagOf } from '../answers.js'
import { routes } from '../route.js'
import { asOf, moment } from './history.js'
import { idParams } from './input.js'

/** Single records for administrators, who see all of them in lists already: each kind by its id, as it is or as it was. */
export function adminRecordRoutes(app: FastifyInstance): void {
  for (const one of KINDS) {
    const { path, label } = kinds[one]
    const getting = {
      operation: `get${label}AsAdmin`,
      summary: `Get ${oneOf(kinds[one])} of anybody, as it is or as it was`,
      answers: { 200: records[one] },
      isTagged: true,
      params: idParams,
      query: moment,
      access: 'admin'
    } as const
    routes(app, tagOf(one))('GET', `/admin/${path}/:id`, getting, async (call) =>
      asOf(call, one, await existing(kinds[one], call.params.id, call.hub.ledger.readModel))
    )
  }
}
