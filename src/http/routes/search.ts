import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { KINDS } from '../../../commands/records/kinds.js'
import { search } from '../../followers/search/search.js'
import { boundedText, LIMITS } from '../../limits.js'
import { json } from '../reply.js'
import { routes } from '../route.js'

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

const answer = z.object({
  results: z.array(
    z.object({
      kind: z.enum(KINDS),
      id: z.string(),
      name: z.string(),
      collectionId: z.string().nullable(),
      folderId: z.string().nullable(),
      snippets: z.array(
        z.object({ field: z.string(), text: z.string(), matches: z.array(z.tuple([z.number(), z.number()])) })
      )
    })
  ),
  nextCursor: z.string().nullable(),
  isComplete: z.boolean(),
  position: z.number()
})

/** Records by the words that they have, of those that the caller may see. */
export function searchRoutes(app: FastifyInstance): void {
  const searching = {
    operation: 'searchRecords',
    summary: 'Find records by the words that they have',
    answers: { 200: answer },
    refuses: [404],
    query,
    access: 'user'
  } as const
  routes(app, 'search')('GET', '/search', searching, async ({ hub, caller, query: { kind: kinds, ...question } }) =>
    json(await search(hub.ledger, caller, { ...question, kinds }))
  )
}
