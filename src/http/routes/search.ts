import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { KINDS } from '../../../commands/records/kinds.js'
import { search, searchPage } from '../../followers/search/search.js'
import { boundedText, LIMITS } from '../../limits.js'
import { json } from '../reply.js'
import { forUsers, routes } from '../route.js'

const kindList = boundedText(LIMITS.label)
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(KINDS, { error: `Must be of these, with commas between them: ${KINDS.join(', ')}.` })))

const query = z.strictObject({
  q: boundedText(LIMITS.searchQuery).min(1),
  kind: kindList.optional(),
  collectionId: id.optional(),
  limit: z.coerce.number().int().min(1).max(LIMITS.searchResults.max).default(20),
  cursor: boundedText(LIMITS.label).optional()
})

/** Records by the words that they have, of those that the caller may see. */
export function searchRoutes(app: FastifyInstance): void {
  const searching = forUsers('searchRecords', 'Find records by the words that they have', searchPage, {
    refuses: [404],
    query
  })
  routes(app, 'search')('GET', '/search', searching, async ({ hub, caller, query: { kind: kinds, ...question } }) =>
    json(await search(hub.ledger, caller, { ...question, kinds }))
  )
}
