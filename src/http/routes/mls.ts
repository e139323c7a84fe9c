import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ciphertext, deviceId, epoch, groupId } from '../../../commands/talk/comment/payload.js'
import type { MlsCommand } from '../../../commands/talk/mls/decide.js'
import { requireGroup } from '../../../commands/talk/mls/group.js'
import { mlsCommitsTable, mlsWelcomesTable } from '../../../projections/mls.js'
import { commitsAfter, groupState, listWelcomes } from '../../../queries/mls.js'
import { errors } from '../../errors.js'
import { boundedText, LIMITS } from '../../limits.js'
import type { Row, TableSpec } from '../../storage/storage.js'
import { mlsCommit, mlsCommitPage, mlsGroupState, mlsWelcome } from '../discussionAnswers.js'
import { freshList } from '../lists.js'
import { madeRow } from '../made.js'
import { openPageReply } from '../paging.js'
import { json, noContent, type Reply } from '../reply.js'
import { forAll, forUsers, type RouteCall, routes } from '../route.js'
import { requireEncryption } from './devices.js'

const sent = (what: string) => ciphertext(`MLS ${what} is required`, `MLS ${what} is too large`)

const commit = z.object({
  mlsGroupId: groupId,
  epoch,
  ciphertext: sent('commit ciphertext'),
  senderDeviceId: deviceId('Sender device id must be a UUID v4 value')
})
const welcome = z.object({
  mlsGroupId: groupId,
  recipientDeviceId: deviceId('Recipient device id must be a UUID v4 value'),
  ciphertext: sent('welcome ciphertext'),
  ratchetTree: sent('ratchet tree')
})

const group = z.object({ mlsGroupId: groupId })
const commitPaging = group.extend({
  limit: z.coerce.number().int().min(1).max(LIMITS.commitPage.max).default(LIMITS.commitPage.max),
  /** The epoch of the last commit that the client has. */
  cursor: boundedText(LIMITS.id)
    .regex(/^\d{0,10}$/, 'The epoch that the page before ended with')
    .optional()
})
const welcomePaging = group.extend({ recipientDeviceId: boundedText(LIMITS.id).optional() })

/** What devices send each other, so that those of a discussion share its keys. */
export function mlsRoutes(app: FastifyInstance): void {
  const route = routes(app, 'devices')
  const members = { requires: requireEncryption, refuses: [404] } as const
  const posting = { ...members, refuses: [404, 409], takes: 'content' } as const

  const committing = forUsers(
    'postMlsCommit',
    'Take the group of a discussion to a later epoch',
    { 201: mlsCommit },
    { ...posting, body: commit }
  )
  route('POST', '/discussion-mls/commits', committing, ({ body, ...call }) =>
    posted(call, { type: 'PostMlsCommit', id: randomUUID(), ...body }, 'mlscommit', mlsCommitsTable)
  )

  const listingCommits = forUsers(
    'listMlsCommits',
    'List what has changed the group of a discussion, by epoch',
    mlsCommitPage,
    { ...members, isTagged: true, query: commitPaging }
  )
  route('GET', '/discussion-mls/commits', listingCommits, async ({ query, caller, hub }) => {
    const { readModel } = hub.ledger
    const { target } = await requireGroup(query.mlsGroupId, caller, readModel)
    const after = query.cursor ? Number(query.cursor) : null
    return openPageReply('commits', await commitsAfter(readModel, target, after, query.limit))
  })

  const welcoming = forUsers(
    'postMlsWelcome',
    'Let a device into the group of a discussion',
    { 201: mlsWelcome },
    { ...posting, body: welcome }
  )
  route('POST', '/discussion-mls/welcomes', welcoming, ({ body, ...call }) =>
    posted(call, { type: 'PostMlsWelcome', id: randomUUID(), ...body }, 'mlswelcome', mlsWelcomesTable)
  )

  const listingWelcomes = forUsers(
    'listMlsWelcomes',
    'List what lets devices of one’s own into the group of a discussion, oldest first',
    z.object({ welcomes: z.array(mlsWelcome) }),
    { ...members, isTagged: true, query: welcomePaging }
  )
  route('GET', '/discussion-mls/welcomes', listingWelcomes, async ({ query, caller, hub }) => {
    const { readModel } = hub.ledger
    const { target } = await requireGroup(query.mlsGroupId, caller, readModel)
    const rows = listWelcomes(target, caller.userId, query.recipientDeviceId || undefined)
    const records = (some: readonly Row[]) => some.map(({ body }) => body)
    return freshList(readModel, { ...rows, name: 'welcomes', fields: [], records })
  })

  const state = forUsers('getMlsGroupState', 'Tell at which epoch the group of a discussion is', mlsGroupState, {
    ...members,
    params: group
  })
  route('GET', '/discussion-mls/group-state/:mlsGroupId', state, async ({ params, caller, hub }) => {
    const { readModel } = hub.ledger
    const { target } = await requireGroup(params.mlsGroupId, caller, readModel)
    const found = await groupState(readModel, target)
    if (found === null) throw errors.notFound('MLS group state')
    return json(found)
  })

  const restarting = forAll(
    'restartMlsGroup',
    'Have the group of a discussion begin anew, without what was sent in it',
    null,
    { ...members, refuses: [403, 404], params: group }
  )
  route('DELETE', '/discussion-mls/group-state/:mlsGroupId', restarting, async ({ params, run }) => {
    await run({ type: 'RestartMlsGroup', id: randomUUID(), ...params })
    return noContent
  })
}

type Posting = Pick<RouteCall<unknown, unknown>, 'hub' | 'run'>

async function posted({ hub, run }: Posting, command: MlsCommand, kind: string, table: TableSpec): Promise<Reply> {
  return json((await madeRow(hub, await run(command), kind, table, command.id)).body, 201)
}
