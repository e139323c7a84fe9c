import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { KINDS } from '../../../commands/records/kinds.js'
import { search, searchPage } from '../../followers/search/search.js'
import { boundedText, LIMITS } from '../../limits.js'
import { callerNow } from '../logStream.js'
import { json } from '../reply.js'
import { routes } from '../route.js'
import { pageSize } from './input.js'

const kindList = boundedText(LIMITS.label)
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(KINDS, { error: `kind must be of these, with commas between them: ${KINDS.join(', ')}.` })))

const query = z.strictObject({
  q: boundedText(LIMITS.searchQuery).min(1, 'Must not be empty').describe('The words, with blanks between them.'),
  kind: kindList.optional().describe('Kinds of records with commas between them. Left out, all kinds are searched.'),
  collectionId: id.optional().describe('The id of a collection: only what is in it is searched.'),
  limit: pageSize(LIMITS.searchResults.max, 20).describe('How many records a page has at most.'),
  cursor: boundedText(LIMITS.label)
    .optional()
    .describe('The `nextCursor` of the page before; left out for the first page.')
})

/** Records by the words that they have, of those that the caller may see. */
export function searchRoutes(app: FastifyInstance): void {
  routes(app, 'search')('GET', '/search', 'searchRecords', searchPage, {
    summary: 'Find records by the words that they have',
    about:
      'A record has all the words, in its name, URL, keys, scripts, comment or text, or in the names of the folders and the collection that hold it; values of variables, headers and credentials are not searched. Names that are the question come first, then names that begin with it, names with its words, addresses, and the rest; in each what has the words one after the other comes first, and then what was changed last. Where fewer than three are found, those follow that differ from a word in one letter. Only what the caller may see is found. 20 are listed where `limit` does not say.',
    refuses: [403, 404],
    query,
    handle: async (call) => {
      const { kind: kinds, ...question } = call.query
      return json(await search(call.hub.ledger, () => callerNow(call), { ...question, kinds }))
    }
  })
}
