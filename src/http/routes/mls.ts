import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ciphertext, deviceId, epoch, groupId } from '../../../commands/talk/comment/payload.js'
import type { MlsCommand } from '../../../commands/talk/mls/decide.js'
import { requireGroup } from '../../../commands/talk/mls/group.js'
import { mlsCommitsTable, mlsWelcomesTable } from '../../../projections/mls.js'
import { commitsAfter, groupState, listWelcomes, sentRecord } from '../../../queries/mls.js'
import { errors } from '../../errors.js'
import { boundedText, LIMITS } from '../../limits.js'
import type { Row, TableSpec } from '../../storage/storage.js'
import { mlsCommit, mlsCommitPage, mlsGroupState, mlsWelcome } from '../discussionAnswers.js'
import { freshList } from '../lists.js'
import { madeRow } from '../made.js'
import { openPageReply } from '../paging.js'
import { json, noContent, type Reply } from '../reply.js'
import { type RouteCall, routes } from '../route.js'
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
  const members = { access: 'user', requires: requireEncryption, refuses: [404] } as const
  const posting = { ...members, refuses: [404, 409], takes: 'content' } as const

  const committing = {
    ...posting,
    operation: 'postMlsCommit',
    summary: 'Take the group of a discussion to a later epoch',
    answers: { 201: mlsCommit },
    body: commit
  } as const
  route('POST', '/discussion-mls/commits', committing, ({ body, ...call }) =>
    posted(call, { type: 'PostMlsCommit', id: randomUUID(), ...body }, 'mlscommit', mlsCommitsTable)
  )

  const listingCommits = {
    ...members,
    operation: 'listMlsCommits',
    summary: 'List what has changed the group of a discussion, by epoch',
    answers: { 200: mlsCommitPage },
    isTagged: true,
    query: commitPaging
  } as const
  route('GET', '/discussion-mls/commits', listingCommits, async ({ query, caller, hub }) => {
    const { readModel } = hub.ledger
    const { target } = await requireGroup(query.mlsGroupId, caller, readModel)
    const after = query.cursor ? Number(query.cursor) : null
    return openPageReply('commits', await commitsAfter(readModel, target, after, query.limit))
  })

  const welcoming = {
    ...posting,
    operation: 'postMlsWelcome',
    summary: 'Let a device into the group of a discussion',
    answers: { 201: mlsWelcome },
    body: welcome
  } as const
  route('POST', '/discussion-mls/welcomes', welcoming, ({ body, ...call }) =>
    posted(call, { type: 'PostMlsWelcome', id: randomUUID(), ...body }, 'mlswelcome', mlsWelcomesTable)
  )

  const listingWelcomes = {
    ...members,
    operation: 'listMlsWelcomes',
    summary: 'List what lets devices of one’s own into the group of a discussion, oldest first',
    answers: { 200: z.object({ welcomes: z.array(mlsWelcome) }) },
    isTagged: true,
    query: welcomePaging
  } as const
  route('GET', '/discussion-mls/welcomes', listingWelcomes, async ({ query, caller, hub }) => {
    const { readModel } = hub.ledger
    const { target } = await requireGroup(query.mlsGroupId, caller, readModel)
    const rows = listWelcomes(target, caller.userId, query.recipientDeviceId || undefined)
    const records = (some: readonly Row[]) => some.map(sentRecord)
    return freshList(readModel, { ...rows, name: 'welcomes', fields: [], records })
  })

  const state = {
    ...members,
    operation: 'getMlsGroupState',
    summary: 'Tell at which epoch the group of a discussion is',
    answers: { 200: mlsGroupState },
    params: group
  } as const
  route('GET', '/discussion-mls/group-state/:mlsGroupId', state, async ({ params, caller, hub }) => {
    const { readModel } = hub.ledger
    const { target } = await requireGroup(params.mlsGroupId, caller, readModel)
    const found = await groupState(readModel, target)
    if (found === null) throw errors.notFound('MLS group state')
    return json(found)
  })

  const restarting = {
    ...members,
    access: 'any',
    operation: 'restartMlsGroup',
    summary: 'Have the group of a discussion begin anew, without what was sent in it',
    answers: { 204: null },
    refuses: [403, 404],
    params: group
  } as const
  route('DELETE', '/discussion-mls/group-state/:mlsGroupId', restarting, async ({ params, run }) => {
    await run({ type: 'RestartMlsGroup', id: randomUUID(), ...params })
    return noContent
  })
}

type Posting = Pick<RouteCall<unknown, unknown>, 'hub' | 'run'>

async function posted({ hub, run }: Posting, command: MlsCommand, kind: string, table: TableSpec): Promise<Reply> {
  const row = await madeRow(hub, await run(command), kind, table, command.id)
  if (!row) throw errors.answerErased()
  return json(sentRecord(row), 201)
}
