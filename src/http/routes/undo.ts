import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id, storable } from '../../../commands/content.js'
import { errors } from '../../errors.js'
import { boundedText, LIMITS } from '../../limits.js'
import { momentOf } from '../../log/logQuery.js'
import { type Deed, findDeed, takeBack } from '../../records/history/takeBack.js'
import { undone } from '../answers.js'
import { json } from '../reply.js'
import { routes } from '../route.js'
import { preview } from './input.js'

const MOST = { events: LIMITS.undoEvents.max, records: LIMITS.undoRecords.max }

const moment = boundedText(LIMITS.label).optional()
const source = z.strictObject({
  token: id.optional().describe('The id of a token: what it did is taken back.'),
  event: z
    .int()
    .min(1)
    .optional()
    .describe('A position of the log: all that the command did which this event belongs to, as an import.'),
  request: boundedText(LIMITS.label)
    .min(1)
    .refine(storable, 'Must not contain NUL or broken characters.')
    .optional()
    .describe('The `X-Request-Id` of a request, or the `requestId` of an undo.'),
  from: moment.describe('Of a token, the first moment: a position of the log, or a time or day (ISO 8601).'),
  to: moment.describe(
    'Of a token, the last moment: a position of the log, or a time or day (ISO 8601); now by default.'
  )
})

/** Taking back what a token, a command or a request did to records, for administrators. */
export function undoRoutes(app: FastifyInstance): void {
  const route = routes(app, 'history')

  route('POST', '/admin/undo', 'undoChanges', undone, {
    summary: 'Take back what a token, a command or a request did to records, or say what that would be',
    about:
      'Exactly one of `token`, `event` and `request` is sent. What was deleted comes back, what was changed or moved becomes what it was, what was made goes; what somebody else has changed since stays, and is named. Accounts, tokens and run results are not taken back. It is several commands: one that is cut off is sent again. With `preview` nothing is changed; its `position`, sent as `to` of a token, takes back no more than it told. An undo is taken back by its `requestId`.',
    body: source,
    query: preview,
    takesKey: false,
    refuses: [404, 413],
    handle: async ({ hub: { ledger }, body, query, origin }) => {
      const { position } = await ledger.storage.head()
      const deed = await findDeed(ledger, deedOf(body))
      if (!deed) throw errors.notFound(nounOf(body))
      const taken = await takeBack(ledger, deed, { origin, isPreview: query.preview, most: MOST })
      return json({ preview: query.preview, position, ...taken })
    }
  })
}

/** What a body names. Refuses with 400 one that names none, or several. */
function deedOf({ token, event, request, from, to }: z.infer<typeof source>): Deed {
  const named = [token, event, request].filter((one) => one !== undefined)
  if (named.length !== 1) throw errors.undoOfOneThing()
  if (token === undefined && (from ?? to) !== undefined) throw errors.undoRange()
  if (event !== undefined) return { event }
  if (request !== undefined) return { request }
  return {
    token: token ?? '',
    from: from === undefined ? undefined : momentOf(from, 'from', 'first'),
    to: to === undefined ? undefined : momentOf(to, 'to', 'last')
  }
}

function nounOf({ token, event }: z.infer<typeof source>): string {
  return token !== undefined ? 'Token' : event !== undefined ? 'Event' : 'Request'
}
