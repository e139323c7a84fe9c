import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { alike } from '../../../commands/content.js'
import { ciphertext, deviceId, epoch, groupId } from '../../../commands/talk/comment/payload.js'
import type { MlsCommand } from '../../../commands/talk/mls/decide.js'
import { requireGroup } from '../../../commands/talk/mls/group.js'
import { mlsCommitsTable, mlsWelcomesTable } from '../../../commands/talk/mls/table.js'
import { commitsAfter, groupState, listWelcomes } from '../../../queries/mls.js'
import { errors } from '../../errors.js'
import { boundedText, LIMITS } from '../../limits.js'
import type { Row, TableSpec } from '../../storage/storage.js'
import { created } from '../answers.js'
import { mlsCommit, mlsCommitPage, mlsGroupState, mlsWelcome } from '../discussionAnswers.js'
import { freshList } from '../lists.js'
import { madeRow } from '../made.js'
import { openPageReply } from '../paging.js'
import { done, json, type Reply } from '../reply.js'
import { type RouteCall, routes } from '../route.js'
import { requireEncryption } from './devices.js'
import { pageSize } from './input.js'

const sent = (what: string) => ciphertext(`MLS ${what} is required`, `MLS ${what} is too large`)

const mlsGroupId = alike(groupId, mlsGroupState.shape.mlsGroupId)
const commit = z.object({
  mlsGroupId,
  epoch: alike(epoch, mlsCommit.shape.epoch),
  ciphertext: alike(sent('commit ciphertext'), mlsCommit.shape.ciphertext),
  senderDeviceId: alike(deviceId('Sender device id must be a UUID v4 value'), mlsCommit.shape.senderDeviceId)
})
const welcome = z.object({
  mlsGroupId,
  recipientDeviceId: alike(deviceId('Recipient device id must be a UUID v4 value'), mlsWelcome.shape.recipientDeviceId),
  ciphertext: alike(sent('welcome ciphertext'), mlsWelcome.shape.ciphertext),
  ratchetTree: alike(sent('ratchet tree'), mlsWelcome.shape.ratchetTree)
})

const group = z.object({ mlsGroupId })
const commitPaging = group.extend({
  limit: pageSize(LIMITS.commitPage.max, LIMITS.commitPage.max).describe('How many commits a page has at most.'),
  cursor: boundedText(LIMITS.id)
    .regex(/^\d{0,10}$/, 'The epoch that the page before ended with')
    .optional()
    .describe('The epoch of the last commit that the client has, as `nextCursor` tells it.')
})
const welcomePaging = group.extend({
  recipientDeviceId: boundedText(LIMITS.id)
    .optional()
    .describe('The `deviceId` of one device. Left out, those for any of the account are listed.')
})

/** What devices send each other, so that those of a discussion share its keys. */
export function mlsRoutes(app: FastifyInstance): void {
  const route = routes(app, 'devices')
  const members = { requires: requireEncryption, refuses: [404] } as const
  const posting = { ...members, refuses: [404, 409], takes: 'content' } as const

  route('POST', '/discussion-mls/commits', 'postMlsCommit', created(mlsCommit), {
    summary: 'Take the group of a discussion to a later epoch',
    about:
      'Takes a device of the caller that is active, and leave to write about what is discussed, which viewers have not. The epoch is above that of the group and ten on at most, else 409: of two devices that change a group at once one is told to read first. 404 where `collaboration.e2ee` is off.',
    ...posting,
    body: commit,
    handle: ({ body, ...call }) =>
      posted(call, { type: 'PostMlsCommit', id: randomUUID(), ...body }, 'mlscommit', mlsCommitsTable)
  })

  route('GET', '/discussion-mls/commits', 'listMlsCommits', mlsCommitPage, {
    summary: 'List what has changed the group of a discussion, by epoch',
    about:
      'Takes access to what is discussed. A page begins behind the epoch that `cursor` names. 404 where `collaboration.e2ee` is off.',
    ...members,
    isTagged: true,
    query: commitPaging,
    handle: async ({ query, caller, readModel }) => {
      const { target } = await requireGroup(query.mlsGroupId, caller, readModel)
      const after = query.cursor ? Number(query.cursor) : null
      return openPageReply('commits', await commitsAfter(readModel, target, after, query.limit))
    }
  })

  route('POST', '/discussion-mls/welcomes', 'postMlsWelcome', created(mlsWelcome), {
    summary: 'Let a device into the group of a discussion',
    about:
      'Takes a device of the caller that is active, and leave to write about what is discussed, which viewers have not. 404 for a device that is not enrolled or is revoked. Fifty welcomes to one group wait for a device at most, of these five of one sender; the next one is 409. 404 where `collaboration.e2ee` is off.',
    ...posting,
    body: welcome,
    handle: ({ body, ...call }) =>
      posted(call, { type: 'PostMlsWelcome', id: randomUUID(), ...body }, 'mlswelcome', mlsWelcomesTable)
  })

  const welcomes = z.object({ welcomes: z.array(mlsWelcome).describe('The welcomes, the oldest first.') })
  route('GET', '/discussion-mls/welcomes', 'listMlsWelcomes', welcomes, {
    summary: 'List what lets devices of one’s own into the group of a discussion, oldest first',
    about:
      'Only the account that owns the device reads them: others get an empty list. 404 where `collaboration.e2ee` is off.',
    ...members,
    isTagged: true,
    query: welcomePaging,
    handle: async ({ query, caller, readModel }) => {
      const { target } = await requireGroup(query.mlsGroupId, caller, readModel)
      const rows = listWelcomes(target, caller.userId, query.recipientDeviceId || undefined)
      const records = (some: readonly Row[]) => some.map(({ body }) => body)
      return freshList(readModel, { ...rows, name: 'welcomes', fields: [], records })
    }
  })

  route('GET', '/discussion-mls/group-state/:mlsGroupId', 'getMlsGroupState', mlsGroupState, {
    summary: 'Tell at which epoch the group of a discussion is',
    about: 'Takes access to what is discussed. 404 where nothing was sent yet. 404 where `collaboration.e2ee` is off.',
    ...members,
    params: group,
    handle: async ({ params, caller, readModel }) => {
      const { target } = await requireGroup(params.mlsGroupId, caller, readModel)
      const found = await groupState(readModel, target)
      if (found === null) throw errors.notFound('MLS group state')
      return json(found)
    }
  })

  route('DELETE', '/discussion-mls/group-state/:mlsGroupId', 'restartMlsGroup', null, {
    summary: 'Have the group of a discussion begin anew, without what was sent in it',
    about:
      'Whoever may write in it does so, and any administrator. From then on the group has no commits and no welcomes. What was encrypted before stays, for devices that still have its keys. 404 where nothing was sent. 404 where `collaboration.e2ee` is off.',
    ...members,
    refuses: [403, 404],
    params: group,
    handle: ({ params, run }) => done(run({ type: 'RestartMlsGroup', id: randomUUID(), ...params }))
  })
}

type Posting = Pick<RouteCall<unknown, unknown>, 'hub' | 'run'>

async function posted({ hub, run }: Posting, command: MlsCommand, kind: string, table: TableSpec): Promise<Reply> {
  return json((await madeRow(hub, await run(command), kind, table, command.id)).body, 201)
}
