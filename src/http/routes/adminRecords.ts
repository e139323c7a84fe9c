import type { FastifyInstance } from 'fastify'
import { existing } from '../../../commands/records/kind.js'
import { KINDS, kinds } from '../../../commands/records/kinds.js'
import { oneOf, records, tagOf } from '../answers.js'
import { forAdmins, routes } from '../route.js'
import { asOf, moment } from './history.js'
import { idParams } from './input.js'

/** Single records for administrators, who see all of them in lists already: each kind by its id, as it is or as it was. */
export function adminRecordRoutes(app: FastifyInstance): void {
  for (const one of KINDS) {
    const { path, label } = kinds[one]
    const getting = forAdmins(
      `get${label}AsAdmin`,
      `Get ${oneOf(kinds[one])} of anybody, as it is or as it was`,
      records[one],
      { isTagged: true, params: idParams, query: moment }
    )
    routes(app, tagOf(one))('GET', `/admin/${path}/:id`, getting, async (call) =>
      asOf(call, one, await existing(kinds[one], call.params.id, call.hub.ledger.readModel))
    )
  }
}
