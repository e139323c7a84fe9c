import type { FastifyInstance } from 'fastify'
import { existingCollection } from '../../../commands/records/collection/decide.js'
import { collectionFields } from '../../../commands/records/collection/fields.js'
import { newOf, optionalFields, sentOf } from '../../../commands/records/fields.js'
import { collectionKind, kinds, MEMBERS } from '../../../commands/records/kinds.js'
import { listMembers } from '../../../queries/records.js'
import { listAnswer, records } from '../answers.js'
import { listing } from '../lists.js'
import { paged } from '../paging.js'
import { routes } from '../route.js'
import { lockableRoutes, managedRoutes } from './lockables.js'

/** Collections, for clients and for administrators, who look inside too (section 4, Collections and Administration). */
export function collectionRoutes(app: FastifyInstance): void {
  lockableRoutes(app, collectionKind, {
    creation: newOf({ name: collectionFields.name, ...optionalFields(collectionFields) }),
    replacement: sentOf(collectionFields),
    create: (body, id) => ({ type: 'CreateCollection', id, ...body }),
    update: (content, target) => ({ type: 'UpdateCollection', ...target, content }),
    remove: (target) => ({ type: 'DeleteCollection', ...target })
  })
  managedRoutes(app, collectionKind, {
    lock: (command) => ({ type: 'LockCollection', ...command }),
    remove: (target) => ({ type: 'DeleteCollectionAsAdmin', ...target })
  })

  const route = routes(app, 'collections')
  for (const one of MEMBERS) {
    const kind = kinds[one]
    const list = listAnswer(kind.plural, records[one])
    route('GET', `/admin/collections/:collectionId/${kind.plural}`, `list${kind.label}sAsAdmin`, list, {
      summary: `List the ${kind.plural} of any collection`,
      about: 'They come as users of the collection see them, with their content, in the order that the hub stores.',
      ...paged,
      handle: async ({ params, readModel, query }) => {
        await existingCollection(params.collectionId, readModel)
        return listing(readModel, listMembers(kind, params.collectionId), query)
      }
    })
  }
}
