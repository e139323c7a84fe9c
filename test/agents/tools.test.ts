import * as assert from 'uvu/assert'
import { z } from 'zod'
import { noAuth } from '../../commands/content.js'
import { LIMITS } from '../../src/limits.js'
import { type Fields, fields, records } from '../http/client.js'
import { usualDrivers } from '../http/drivers.js'
import { hubSuite } from '../http/hub-suite.js'
import { succeeded } from '../http/world.js'
import { connectAgent, type TestAgent, writingToken } from './support.js'

const READING = [
  'get_collection',
  'get_collection_settings',
  'get_document',
  'get_environment',
  'get_history',
  'get_request',
  'get_snippet',
  'list_changes',
  'list_collections',
  'list_comments',
  'list_documents',
  'list_requests',
  'search'
]
const WRITING = [
  'create_document',
  'create_folder',
  'create_request',
  'update_document',
  'update_request',
  'write_comment'
]
const STALE = 'This record has changed since it was read. Read it again, then repeat the change.'

const bearer = (token: string) => ({ type: 'bearer', basic: { username: '', password: '' }, bearer: { token } })
const entries = z.object({ entries: z.array(z.looseObject({ type: z.string(), requestId: z.string() })) })

for (const driver of usualDrivers) {
  let reader: TestAgent
  let writer: TestAgent
  const { test, world } = hubSuite('agents', driver)
  test.before(async () => {
    const { hub, owner } = world
    reader = await connectAgent(hub.url, owner.token, 'reader')
    writer = await connectAgent(hub.url, (await writingToken(hub, owner)).secret, 'writer')
  })
  const names = async ({ client }: TestAgent) => (await client.listTools()).tools.map(({ name }) => name).toSorted()
  const rest = async (path: string) => fields((await world.by(world.owner).get(path)).body)
  /** The newest entries of the log about calls of tools, the newest first. */
  const calls = async (query = '') => {
    const reply = await world.by(world.admin).get(`/admin/audit?type=AgentToolCalled${query}`)
    return records(reply, 'entries').map((entry) => ({
      ...entry,
      call: fields(fields(records({ ...reply, body: entry }, 'changes')[0]).to)
    }))
  }

  test('tools that write are listed for tokens alone with which agents may write', async () => {
    assert.equal(await names(reader), READING)
    assert.equal(await names(writer), [...READING, ...WRITING].toSorted())
    const { tools } = await writer.client.listTools()
    for (const { name, annotations } of tools) assert.is(annotations?.readOnlyHint, !WRITING.includes(name), name)
  })

  test('a tool that writes is refused to other tokens, and nothing is changed', async () => {
    const collectionId = await world.collection()
    const text = await reader.refused('create_request', { collectionId, name: 'R', url: '' })
    assert.match(text, 'read only')
    assert.equal((await rest(`/collections/${collectionId}/requests`)).requests, [])
  })

  test('collections are found, listed and outlined, page by page', async () => {
    const id = await world.collection('Payments of agents')
    const folder = await world.folder(id, null, 'Refunds')
    const request = await world.request(id, folder)
    const document = await world.document(id)
    const { results } = await reader.call('search', { query: 'PAYMENTS of', kinds: ['collection'] })
    assert.equal(results, [
      {
        ...{ kind: 'collection', id, name: 'Payments of agents', collectionId: null, folderId: null },
        found: [{ field: 'name', text: 'Payments of agents' }]
      }
    ])
    const inside = await reader.call('search', { query: 'refunds', collectionId: id })
    assert.equal(inside.results, [
      {
        ...{ kind: 'folder', id: folder, name: 'Refunds', collectionId: id, folderId: null },
        found: [{ field: 'name', text: 'Refunds' }]
      },
      {
        ...{ kind: 'request', id: request, name: 'List orders', collectionId: id, folderId: folder },
        ...{ method: 'POST', url: '{{host}}/orders' },
        found: [{ field: 'folder', text: 'Refunds' }]
      }
    ])
    const { outline, counts } = await reader.call('get_collection', { id })
    assert.equal(counts, { folders: 1, requests: 1, documents: 1 })
    const ids = z.array(z.object({ kind: z.string(), id: z.string(), folderId: z.string().nullable() })).parse(outline)
    assert.equal(
      ids.map((one) => [one.kind, one.id, one.folderId]),
      [
        ['folder', folder, null],
        ['request', request, folder],
        ['document', document, null]
      ]
    )
    const found: unknown[] = []
    for (let cursor: unknown; ; ) {
      const { collections, next } = await reader.call('list_collections', {
        limit: 1,
        ...(cursor !== undefined && { cursor })
      })
      found.push(...z.array(z.unknown()).parse(collections))
      if (next === null) break
      cursor = next
    }
    assert.equal(found, (await reader.call('list_collections')).collections)
  })

  test('requests and documents are listed in their order, all or those of a folder', async () => {
    const collectionId = await world.collection()
    const folderId = await world.folder(collectionId)
    const [first, second] = [await world.request(collectionId), await world.request(collectionId, folderId)]
    const document = await world.document(collectionId, folderId)
    const listed = async (tool: string, what: string, more: Fields = {}) =>
      z.array(z.object({ id: z.string() })).parse((await reader.call(tool, { collectionId, ...more }))[what])
    assert.equal(new Set((await listed('list_requests', 'requests')).map(({ id }) => id)), new Set([first, second]))
    assert.equal(
      (await listed('list_requests', 'requests', { folderId })).map(({ id }) => id),
      [second]
    )
    assert.equal(
      (await listed('list_documents', 'documents')).map(({ id }) => id),
      [document]
    )
    const elsewhere = await world.folder(await world.collection())
    assert.is(await reader.refused('list_requests', { collectionId, folderId: elsewhere }), 'Folder not found')
  })

  test('a record is read as over HTTP but for its secrets', async () => {
    const collectionId = await world.collection()
    const made = await writer.call('create_request', {
      collectionId,
      name: 'R',
      url: 'https://x.test',
      auth: bearer('s')
    })
    const { record, revision, next } = await reader.call('get_request', { id: made.id })
    const whole = await rest(`/requests/${made.id}`)
    assert.equal(record, { ...whole, auth: bearer('[masked]') })
    assert.equal([fields(whole.auth).bearer, revision, next], [{ token: 's' }, made.revision, null])
    const settings = await reader.call('get_collection_settings', { id: collectionId })
    assert.equal(settings.record, await rest(`/collections/${collectionId}`))
  })

  test('a large document comes in parts, none of which is larger than an answer may be', async () => {
    const content = '"Ü😀\n'.repeat(100_000)
    const collectionId = await world.collection()
    const id = await world.make(`collections/${collectionId}/documents`, { name: 'large.md', content })
    let text = ''
    let parts = 0
    for (let cursor: unknown; ; parts++) {
      const { part, next } = await reader.call('get_document', { id, ...(cursor !== undefined && { cursor }) })
      text += z.string().max(LIMITS.agentAnswer.max).parse(part)
      if (next === null) break
      cursor = next
    }
    assert.ok(parts > 2)
    assert.is(fields(JSON.parse(text)).content, content)
  })

  test('parts of a record before and behind a move of its siblings are not mixed', async () => {
    const collectionId = await world.collection()
    const make = (name: string, content: string) =>
      world.make(`collections/${collectionId}/documents`, { name, content })
    const first = await make('first.md', '')
    const id = await make('large.md', 'x'.repeat(2 * LIMITS.agentAnswer.max))
    const { next, revision } = await reader.call('get_document', { id })
    succeeded(await world.by(world.owner).delete(`/documents/${first}`))
    assert.is(await reader.refused('get_document', { id, cursor: next }), STALE)
    assert.is((await reader.call('get_document', { id })).revision, revision)
  })

  test('a request is created with what is given, and updated field by field', async () => {
    const collectionId = await world.collection()
    const folderId = await world.folder(collectionId)
    const made = await writer.call('create_request', {
      ...{ collectionId, folderId, name: ' Refund ', url: 'https://x.test', method: 'POST', auth: bearer('secret') },
      headers: [{ key: 'a', value: 'b', enabled: true }]
    })
    const { id, revision } = made
    const changed = await writer.call('update_request', { id, revision, comment: 'Why', auth: bearer('[masked]') })
    const { comment, method, name, headers, auth, protocol, ...others } = await rest(`/requests/${id}`)
    assert.equal([comment, method, name, others.folderId], ['Why', 'POST', 'Refund', folderId])
    assert.equal([headers, auth, protocol], [[{ key: 'a', value: 'b', enabled: true }], bearer('secret'), 'http'])
    assert.ok(z.number().parse(changed.revision) > z.number().parse(revision))
    const other = await world.collection()
    await writer.call('update_request', { id, revision: changed.revision, collectionId: other })
    const moved = await rest(`/requests/${id}`)
    assert.equal([moved.collectionId, moved.folderId, moved.comment], [other, null, 'Why'])
  })

  test('the value of a header that holds a secret is masked, and kept where it is sent back so', async () => {
    const collectionId = await world.collection()
    const header = (key: string, value: string) => ({ key, value, enabled: true })
    const headers = [
      header('Accept', 'a/b'),
      header('Authorization', 'Bearer one'),
      header('Authorization', 'Bearer two')
    ]
    const made = await writer.call('create_request', { collectionId, name: 'R', url: '', headers })
    const { id, revision } = made
    const { record } = await reader.call('get_request', { id })
    const masked = ['Authorization', 'Authorization'].map((key) => header(key, '[masked]'))
    assert.equal(fields(record).headers, [headers[0], ...masked])
    await writer.call('update_request', { id, revision, headers: [header('Accept', 'c/d'), ...masked] })
    assert.equal((await rest(`/requests/${id}`)).headers, [header('Accept', 'c/d'), ...headers.slice(1)])
    const again = { id, revision: (await reader.call('get_request', { id })).revision }
    const strange = await writer.refused('update_request', { ...again, headers: [header('Cookie', '[masked]')] })
    assert.match(strange, /^headers: \[masked\] stands for a secret/)
    // Of two of one name nobody can tell which one is left.
    await writer.call('update_request', { ...again, headers })
    const twice = { id, revision: (await reader.call('get_request', { id })).revision }
    const one = await writer.refused('update_request', { ...twice, headers: masked.slice(1) })
    assert.match(one, /^headers: \[masked\] stands for a secret/)
  })

  test('an update of a revision that is not the newest changes nothing', async () => {
    const collectionId = await world.collection()
    const { id, revision } = await writer.call('create_request', { collectionId, name: 'R', url: '' })
    await writer.call('update_request', { id, revision, name: 'Second' })
    assert.is(await writer.refused('update_request', { id, revision, name: 'Third' }), STALE)
    assert.is((await rest(`/requests/${id}`)).name, 'Second')
    const racing = z.number().parse((await reader.call('get_request', { id })).revision)
    const ways = await Promise.allSettled(
      ['A', 'B', 'C'].map((name) => writer.call('update_request', { id, revision: racing, name }))
    )
    assert.is(ways.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test('the rules for what is written are those of the routes', async () => {
    const collectionId = await world.collection()
    const create = (more: Fields) => writer.refused('create_request', { collectionId, name: 'R', url: '', ...more })
    assert.is(await create({ name: ' ' }), 'Name must not be empty.')
    assert.match(await create({ method: 'BREW' }), /^method: /)
    assert.match(await create({ headers: [{ key: 'a' }] }), /^headers\.0\.value: /)
    assert.is(await create({ nmae: 'R' }), 'nmae: No argument of this tool')
    assert.is(await create({ collectionId: 'none' }), 'Collection not found')
    assert.match(await create({ auth: bearer('[masked]') }), 'stands for a secret')
    assert.match(await writer.refused('update_request', { id: 'r', name: 'R' }), /^revision: /)
  })

  test('an agent sees and changes what its token opens, and nothing of others', async () => {
    const [own, foreign] = [await world.collection(), await world.collection()]
    const id = await world.request(foreign)
    const document = await world.document(foreign)
    const environment = await world.make('environments', { name: 'Others' })
    const guest = await world.user({ collectionAccess: [own] })
    const agent = await connectAgent(world.hub.url, (await writingToken(world.hub, guest)).secret, 'guest')
    assert.equal(
      z
        .array(z.object({ id: z.string() }))
        .parse((await agent.call('list_collections')).collections)
        .map(({ id }) => id),
      [own]
    )
    await agent.refused('search', { query: 'o', collectionId: foreign })
    assert.equal((await agent.call('search', { query: 'others' })).results, [])
    const { changes } = await agent.call('list_changes', { after: 0, limit: 200 })
    assert.not.ok(JSON.stringify(changes).includes(foreign))
    const refusals = [
      ['get_collection', { id: foreign }],
      ['get_collection_settings', { id: foreign }],
      ['list_requests', { collectionId: foreign }],
      ['list_documents', { collectionId: foreign }],
      ['get_request', { id }],
      ['get_document', { id: document }],
      ['get_environment', { id: environment }],
      ['get_history', { kind: 'request', id }],
      ['create_request', { collectionId: foreign, name: 'R', url: '' }],
      ['update_request', { id, revision: 1, name: 'Mine' }]
    ] as const
    for (const [tool, args] of refusals) assert.is(await agent.refused(tool, args), 'Forbidden', tool)
    const listed = await agent.client.listResources()
    assert.equal(
      listed.resources.map(({ uri }) => uri),
      [`hub://collections/${own}`]
    )
    for (const uri of [`hub://collections/${foreign}`, `hub://requests/${id}`])
      assert.match(await agent.client.readResource({ uri }).then(() => '', String), 'Forbidden')
  })

  test('access is that of the moment: what is taken away, and a token that is revoked, opens nothing more', async () => {
    const id = await world.collection()
    const guest = await world.user({ collectionAccess: [id] })
    const { token, secret } = await writingToken(world.hub, guest)
    const agent = await connectAgent(world.hub.url, secret)
    await agent.call('get_collection', { id })
    await world.by(world.admin).put(`/admin/users/${guest.id}`, { collectionAccess: [] })
    assert.is(await agent.refused('get_collection', { id }), 'Forbidden')
    await world.by(world.admin).delete(`/admin/tokens/${token.id}`)
    assert.match(await agent.call('list_collections').then(() => '', String), /401|Unauthorized/)
  })

  test('history and changes tell what was done to a record', async () => {
    const collectionId = await world.collection()
    const { id, revision } = await writer.call('create_request', { collectionId, name: 'R', url: '' })
    await writer.call('update_request', { id, revision, url: 'https://x.test' })
    const newest = await reader.call('get_history', { kind: 'request', id, limit: 1 })
    const [version] = z
      .array(z.looseObject({ version: z.number(), changed: z.array(z.string()) }))
      .parse(newest.versions)
    assert.equal([newest.count, newest.next, version?.version], [2, 2, 2])
    assert.ok(version?.changed.includes('url'))
    const oldest = await reader.call('get_history', { kind: 'request', id, before: newest.next })
    assert.is(oldest.next, null)
    const after = z.number().parse(revision) - 1
    const { changes } = await reader.call('list_changes', { after, limit: 1 })
    assert.equal(z.array(z.object({ type: z.string(), id: z.string() })).parse(changes), [
      { type: 'RequestCreated', id }
    ])
    assert.match(await reader.refused('list_changes', { after: 1_000_000 }), 'beyond the end of the log')
  })

  test('every call is in the log with its client, what it was about and how it ended', async () => {
    const collectionId = await world.collection()
    await reader.call('get_collection', { id: collectionId })
    const [read] = await calls(`&id=${collectionId}`)
    const client = { name: 'reader', version: '1.0' }
    const record = { kind: 'collection', id: collectionId }
    assert.equal(read?.call, { tool: 'get_collection', client, record, outcome: 'done', status: null })
    assert.equal(fields(fields(read).resource).id, collectionId)
    assert.equal(fields(fields(read).actor).id, world.owner.id)
    await reader.refused('get_request', { id: 'missing' })
    const [refused] = await calls()
    assert.equal([refused?.call.outcome, refused?.call.status], ['refused', 404])
    await reader.client.readResource({ uri: `hub://collections/${collectionId}` })
    assert.is((await calls())[0]?.call.tool, 'resources/read')
  })

  test('the log tells which client wrote: the call stands beside the change, under the id of one request', async () => {
    const collectionId = await world.collection()
    const { id, revision } = await writer.call('create_request', { collectionId, name: 'R', url: '' })
    await writer.call('update_request', { id, revision, name: 'S' })
    const reply = await world.by(world.admin).get(`/admin/audit?kind=request&id=${id}&order=oldest`)
    const told = entries.parse(reply.body).entries
    const types = ['RequestCreated', 'AgentToolCalled', 'RequestUpdated', 'AgentToolCalled']
    assert.equal(
      told.map(({ type }) => type),
      types
    )
    const [created, asked, updated, again] = told.map(({ requestId }) => requestId)
    assert.equal([created, updated], [asked, again])
  })

  test('an update that changes nothing is told all the same, and makes no version', async () => {
    const collectionId = await world.collection()
    const { id, revision } = await writer.call('create_request', { collectionId, name: 'R', url: '' })
    const before = world.position()
    const same = await writer.call('update_request', { id, revision, name: 'R' })
    assert.equal([same.revision, world.position()], [revision, before + 1])
    assert.is((await calls())[0]?.call.tool, 'update_request')
  })

  test('an administrator’s token opens nothing here', async () => {
    const text = await connectAgent(world.hub.url, world.admin.token).then(() => '', String)
    assert.match(text, /403|Forbidden/)
  })

  test('documents and folders are written, and a document that has changed since is left alone', async () => {
    const collectionId = await world.collection()
    const folder = await writer.call('create_folder', { collectionId, name: 'Guides' })
    const inner = await writer.call('create_folder', { collectionId, folderId: folder.id, name: 'Inner' })
    const { id, revision } = await writer.call('create_document', { collectionId, folderId: inner.id, name: 'How.md' })
    const made = await rest(`/documents/${id}`)
    assert.equal([made.name, made.content, made.folderId], ['How.md', '', inner.id])
    const changed = await writer.call('update_document', { id, revision, content: '# How' })
    assert.is.not(changed.revision, revision)
    assert.is(changed.name, 'How.md')
    assert.is(await writer.refused('update_document', { id, revision, content: '' }), STALE)
    assert.is((await rest(`/documents/${id}`)).content, '# How')
    const [call] = await calls()
    assert.equal(fields(call?.call).tool, 'update_document')
  })

  test('comments are read and written, in the thread of what they are about alone', async () => {
    const id = await world.collection()
    const target = { kind: 'collection', id }
    const first = await writer.call('write_comment', { ...target, text: 'Is this all?' })
    const answer = await writer.call('write_comment', { ...target, text: 'It is.', answers: first.id })
    assert.is(answer.answers, first.id)
    const { comments, next } = await reader.call('list_comments', { ...target, limit: 1 })
    assert.equal(comments, [first])
    assert.equal((await reader.call('list_comments', { ...target, cursor: next })).comments, [answer])
    assert.equal([first.author, first.resolvedAt], [world.owner.name, null])
    succeeded(await world.by(world.owner).post(`/discussion-threads/${first.id}/resolve`))
    const { comments: resolved } = await reader.call('list_comments', { ...target, limit: 1 })
    assert.match(JSON.stringify(resolved), /"resolvedAt":"\d{4}-/)
    const other = { kind: 'collection', id: await world.collection() }
    assert.is(
      await writer.refused('write_comment', { ...other, text: 'x', answers: first.id }),
      'Discussion comment not found'
    )
    assert.match(await reader.refused('write_comment', { ...target, text: 'x' }), 'lets agents read only')
  })

  test('of variables those are shown that are shared and not called as secrets are', async () => {
    const id = await world.collection()
    const variable = (key: string, share: boolean) => ({ key, value: 'v', defaultValue: 'd', share, enabled: true })
    const content = { name: 'C', headers: [], preRequestScript: '', postRequestScript: '', auth: noAuth }
    const variables = [variable('baseUrl', true), variable('host', false), variable('apiKey', true)]
    await world.by(world.owner).put(`/collections/${id}`, { ...content, variables })
    const { record } = await reader.call('get_collection_settings', { id })
    const hidden = { value: '[masked]', defaultValue: '[masked]' }
    const [open, own, named] = variables
    assert.equal(fields(record).variables, [open, { ...own, ...hidden }, { ...named, ...hidden }])
  })

  test.run()
}
