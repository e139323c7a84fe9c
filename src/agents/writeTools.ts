import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { id, noAuth, reference } from '../../commands/content.js'
import { nameOf } from '../../commands/record.js'
import { documentContent } from '../../commands/records/document/events.js'
import { documentFields } from '../../commands/records/document/fields.js'
import { newOf, sentOf } from '../../commands/records/fields.js'
import { folderFields } from '../../commands/records/folder/fields.js'
import { folderKind } from '../../commands/records/folder/kind.js'
import { accessible, itemPositionOf } from '../../commands/records/kind.js'
import { documentKind, requestKind } from '../../commands/records/kinds.js'
import { requestContent } from '../../commands/records/request/events.js'
import { type RequestContent, requestFields } from '../../commands/records/request/fields.js'
import { errors } from '../errors.js'
import { grouped } from '../lib/grouped.js'
import type { Row } from '../storage/storage.js'
import { MASK } from '../trust/audit/mask.js'
import { args, type Tool, tool } from './tool.js'

const sent = newOf(requestFields).shape
const written = z.object({
  id: z.string(),
  name: z.string(),
  collectionId: z.string(),
  revision: z.int().describe('The state of the request now: send it with the next update')
})

const createRequest = tool({
  name: 'create_request',
  title: 'Create a request',
  description:
    'Saves a new HTTP request at the end of a collection or of one of its folders. What is left out is empty. It is not sent.',
  // The rules of a client's request, with what a client fills in by itself.
  args: args({
    collectionId: id,
    folderId: reference,
    ...sent,
    method: sent.method.default('GET'),
    headers: sent.headers.default([]),
    params: sent.params.default([]),
    auth: sent.auth.default(noAuth),
    body: sent.body.default(''),
    bodyType: sent.bodyType.default('none'),
    preRequestScript: sent.preRequestScript.default(''),
    postRequestScript: sent.postRequestScript.default(''),
    comment: sent.comment.default('')
  }),
  answer: written,
  writes: true,
  async run({ collectionId, folderId, ...content }, { write }) {
    if (isMasked(content.auth)) throw errors.maskSent('auth')
    if (content.headers.some(({ value }) => value === MASK)) throw errors.maskSent('headers')
    const id = randomUUID()
    const command = { type: 'CreateRequest', id, collectionId, folderId, content } as const
    return shown(await write(command, { kind: 'request', id }, requestKind.table))
  }
})

const updateRequest = tool({
  name: 'update_request',
  title: 'Update a request',
  description:
    'Changes a saved HTTP request. Read it with get_request first and send the revision that you have read; if it has changed since, nothing is done. Fields that are left out stay as they are, and so do secrets that are sent back as [masked].',
  args: z
    .strictObject({
      ...sentOf(requestFields).shape,
      collectionId: id,
      folderId: id.nullable()
    })
    .partial()
    .extend({ id, revision: z.int().min(1).describe('The revision that was read') }),
  answer: written,
  writes: true,
  replaces: true,
  recordOf: ({ id }) => ({ kind: 'request', id }),
  async run({ id, revision, ...changes }, { caller, ledger: { readModel }, write }) {
    const row = await accessible(requestKind, id, caller, readModel)
    if (row.revision !== revision) throw errors.changed()
    const now = requestContent.parse(JSON.parse(row.body))
    const { collectionId, inside } = itemPositionOf(row)
    const { collectionId: to = collectionId, folderId = to === collectionId ? inside : null, ...given } = changes
    const auth = unmasked(changes.auth ?? now.auth, now.auth)
    const headers = unmaskedHeaders(changes.headers ?? now.headers, now.headers)
    const content = requestContent.parse({ ...now, ...given, auth, headers })
    // It may have changed since it was read here: the decision compares once more.
    const command = { type: 'UpdateRequest', id, collectionId: to, folderId, content, ifRevision: [revision] } as const
    return shown(await write(command, { kind: 'request', id }, requestKind.table))
  }
})

const content = newOf(documentFields).shape

const createDocument = tool({
  name: 'create_document',
  title: 'Create a document',
  description: 'Saves a new Markdown document at the end of a collection or of one of its folders.',
  args: args({ collectionId: id, folderId: reference, ...content, content: content.content.default('') }),
  answer: written,
  writes: true,
  async run({ collectionId, folderId, ...content }, { write }) {
    const id = randomUUID()
    const command = { type: 'CreateDocument', id, collectionId, folderId, content } as const
    return shown(await write(command, { kind: 'document', id }, documentKind.table))
  }
})

const updateDocument = tool({
  name: 'update_document',
  title: 'Update a document',
  description:
    'Changes a Markdown document. Read it with get_document first and send the revision that you have read; if it has changed since, nothing is done. Fields that are left out stay as they are.',
  args: z
    .strictObject(sentOf(documentFields).shape)
    .partial()
    .extend({ id, revision: z.int().min(1).describe('The revision that was read') }),
  answer: written,
  writes: true,
  replaces: true,
  recordOf: ({ id }) => ({ kind: 'document', id }),
  async run({ id, revision, ...changes }, { caller, ledger: { readModel }, write }) {
    const row = await accessible(documentKind, id, caller, readModel)
    if (row.revision !== revision) throw errors.changed()
    const { collectionId, inside: folderId } = itemPositionOf(row)
    const content = documentContent.parse({ ...documentContent.parse(JSON.parse(row.body)), ...changes })
    const command = { type: 'UpdateDocument', id, collectionId, folderId, content, ifRevision: [revision] } as const
    return shown(await write(command, { kind: 'document', id }, documentKind.table))
  }
})

const createFolder = tool({
  name: 'create_folder',
  title: 'Create a folder',
  description: 'Makes a new folder at the end of a collection or of one of its folders.',
  args: args({
    collectionId: id,
    folderId: reference.describe('The folder that it goes into'),
    ...newOf(folderFields).shape
  }),
  answer: written,
  writes: true,
  async run({ collectionId, folderId: parentFolderId, ...content }, { write }) {
    const id = randomUUID()
    const command = { type: 'CreateFolder', id, collectionId, parentFolderId, ...content } as const
    return shown(await write(command, { kind: 'folder', id }, folderKind.table))
  }
})

function shown(row: Row) {
  const { collectionId } = itemPositionOf(row)
  return { id: row.id, name: nameOf(row), collectionId, revision: row.revision }
}

type Auth = RequestContent['auth']
type Headers = RequestContent['headers']

function isMasked({ basic, bearer }: Auth): boolean {
  return basic.password === MASK || bearer.token === MASK
}

/** The auth block with what the request has in place of what was shown masked. */
function unmasked({ type, basic, bearer }: Auth, now: Auth): Auth {
  return {
    type,
    basic: basic.password === MASK ? { ...basic, password: now.basic.password } : basic,
    bearer: bearer.token === MASK ? now.bearer : bearer
  }
}

/**
 * The headers, each that was shown masked with the value that the request has under its name: of several in their order. Refused where
 * there are more or fewer of that name now, since nobody can tell which of several is meant.
 */
function unmaskedHeaders(headers: Headers, now: Headers): Headers {
  const before = grouped(now, ({ key }) => key)
  const sent = grouped(headers, ({ key }) => key)
  const taken = new Map<string, number>()
  return headers.map((header) => {
    const { key, value } = header
    const at = taken.get(key) ?? 0
    taken.set(key, at + 1)
    if (value !== MASK) return header
    const those = before.get(key) ?? []
    const meant = those[at]
    if (!meant || (those.length > 1 && those.length !== sent.get(key)?.length)) throw errors.maskSent('headers')
    return { ...header, value: meant.value }
  })
}

/** Tools that change records. */
export const writeTools: readonly Tool[] = [createRequest, updateRequest, createDocument, updateDocument, createFolder]
