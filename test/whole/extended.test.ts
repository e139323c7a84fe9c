import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { type Home, newHome } from '../cli/support.js'
import { requestContent } from '../http/content.js'
import { temporaryDirectory } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { firstStart, type Started, withId } from './client.js'
import { checklist } from './extended/checklist.js'
import { builtWith } from './extended/copy.js'

/** The text of the fields of a kind with a line more behind the name, and what that needs imported. */
const withPinned = (text: string) => {
  const fields = text.replaceAll('name: named,', 'name: named, pinned: addedField(plainFlag, false),')
  assert.not.equal(fields, text, 'the fields begin as they are expected to')
  return `import { added as addedField, flag as plainFlag } from '../fields.js'\n${fields}`
}
const KINDS = ['collection', 'document', 'environment', 'folder', 'live', 'request', 'snippet']

const scripts = { preRequestScript: '', postRequestScript: '' }
/** Content of the kinds that stand on their own, by where they are. */
const OTHERS = {
  '/collections': { name: 'Others', variables: [], headers: [], auth: requestContent.auth, ...scripts },
  '/environments': { name: 'Others', variables: [] },
  '/snippets': { name: 'Others' },
  '/live-servers': { name: 'Others' },
  '/live-pages': { name: 'Others' }
}

const request = z.looseObject({ id: z.string(), name: z.string(), pinned: z.boolean() })
const listedRequests = z.object({ requests: z.tuple([request], request) })
const listedFolders = z.object({ folders: z.tuple([request], request) })
const versions = z.object({
  versions: z.array(z.object({ changed: z.array(z.string()), position: z.number() }))
})

const listedChecklists = z.object({ checklists: z.array(z.looseObject({ id: z.string(), name: z.string() })) })
const withEntries = z.object({ entries: z.unknown() })
const found = z.object({ results: z.array(z.object({ kind: z.string(), id: z.string() })) })
const changes = z.object({ changes: z.array(z.object({ type: z.string(), kind: z.string(), id: z.string() })) })

/** A hub of the copy, on the database that a hub without its additions began. */
interface Extended extends Pick<Started, 'call' | 'admin' | 'user'> {
  readonly home: Home
  /** The path of the requests of a collection from before, with one, and that of its folders, with one. */
  readonly requests: string
  readonly folders: string
  readonly collectionId: string
}

const test = suite('a copy of the hub that knows more')
let extended: Extended
test.before(async () => {
  extended = await begun()
})

/** Begins a database, and lets the copy serve it. */
async function begun(): Promise<Extended> {
  const { path } = await temporaryDirectory()
  const fields = KINDS.map((kind) => [`commands/records/${kind}/fields.ts`, withPinned] as const)
  const edits = { ...Object.fromEntries(fields), ...checklist.edits }
  const main = await builtWith(path, { edits, files: checklist.files })
  const before = await newHome()
  const port = await freePort()
  before.configure({ port })
  const { server, call, admin, user } = await firstStart(before, port)
  const collectionId = withId.parse(await call(user, 'POST', '/collections', { name: 'Payments' })).id
  const requests = `/collections/${collectionId}/requests`
  await call(user, 'POST', requests, { ...requestContent, folderId: null })
  const folders = `/collections/${collectionId}/folders`
  await call(user, 'POST', folders, { name: 'Cards', parentFolderId: null })
  await server.stop()

  const home = await newHome([process.execPath, main, '-c', join(before.path, 'server.yaml')])
  const migrated = await home.hub('migrate')
  assert.is(migrated.code, 0, migrated.stderr)
  await home.start()
  return { call, admin, user, home, requests, folders, collectionId }
}

/** Runs a command that succeeds, and gives what it prints. */
async function done(home: Home, ...command: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await home.hub(...command)
  assert.is(code, 0, stdout + stderr)
  return stdout
}

test('a new field is one line, and is stored, answered, listed, compared, taken back, and kept by whoever does not know it', async () => {
  const { call, user, home, requests: all, folders: inside, collectionId } = extended
  const [{ id }] = listedRequests.parse(await call(user, 'GET', all)).requests
  const one = async (body: object) =>
    request.parse(await call(user, 'PUT', `/requests/${id}`, { ...requestContent, collectionId, ...body }))
  const pinned = async (query = '') =>
    listedRequests.parse(await call(user, 'GET', all + query)).requests.map((one) => one.pinned)
  assert.equal(await pinned(), [false], 'a record from before has it')
  assert.is((await one({ pinned: true })).pinned, true, 'it is answered')
  assert.equal(await pinned('?fields=name,pinned'), [true], 'a list shows it alone')
  assert.is((await one({ name: 'Renamed' })).pinned, true, 'who leaves it out leaves it as it is')
  const made = await call(user, 'POST', all, { ...requestContent, folderId: null })
  assert.is(request.parse(made).pinned, false, 'a new record begins with it')
  const past = versions.parse(await call(user, 'GET', `/requests/${id}/history`)).versions
  assert.equal(past[1]?.changed, ['pinned', 'updatedAt'], 'the history compares it')
  const file = JSON.stringify(await call(user, 'GET', `/collections/${collectionId}/export?format=postman`))
  const content = file.replaceAll('Renamed', 'Imported')
  await call(user, 'POST', '/collections/import', { content, collectionId, overwrite: true })
  const imported = listedRequests.parse(await call(user, 'GET', all)).requests.find((one) => one.id === id)
  assert.equal([imported?.name, imported?.pinned], ['Imported', true], 'a file that has it not leaves it as it is')
  const [folder] = listedFolders.parse(await call(user, 'GET', inside)).folders
  const changed = async (body: object) => {
    await call(user, 'PATCH', `/folders/${folder.id}`, body)
    const past = versions.parse(await call(user, 'GET', `/folders/${folder.id}/history`)).versions
    return String(past[0]?.position)
  }
  await changed({ name: 'Cards', pinned: true })
  await done(home, 'undo', '--event', await changed({ name: 'Drafts', pinned: false }), '--yes')
  const [back] = listedFolders.parse(await call(user, 'GET', inside)).folders
  assert.equal([back.name, back.pinned], ['Cards', true], 'what is taken back has it as it was')
  for (const [path, body] of Object.entries(OTHERS)) {
    const { id } = request.parse(await call(user, 'POST', path, body))
    await call(user, 'PUT', `${path}/${id}`, { ...body, pinned: true })
    const after = await call(user, 'PUT', `${path}/${id}`, { ...body, name: 'Renamed' })
    assert.is(request.parse(after).pinned, true, `who leaves it out leaves it as it is in ${path}`)
  }
  const wrong = call(user, 'PUT', `/requests/${id}`, { ...requestContent, collectionId, pinned: 7 }).catch(String)
  assert.match(String(await wrong), '400', 'what it cannot be is refused')
  await done(home, 'projections', 'verify')
})

test('a new kind is six files and lines in six, and is served, listed, found, told of, remembered, brought back and taken back', async () => {
  const { call, admin, user, home } = extended
  const entries = [{ text: 'Turn the key', isDone: false }]
  const list = withId.parse(await call(user, 'POST', '/checklists', { name: 'Release', entries }))
  const one = `/checklists/${list.id}`
  assert.match(String(await call(user, 'POST', '/checklists', { name: 7 }).catch(String)), '400', 'it has bounds')
  await call(user, 'PUT', one, { name: 'Release', purpose: 'Say farewell', entries: [] })
  const told = versions.parse(await call(user, 'GET', `${one}/history`)).versions
  assert.equal(told[0]?.changed, ['purpose', 'entries', 'updatedAt'], 'its history compares its fields')
  const all = async () =>
    listedChecklists.parse(await call(user, 'GET', '/checklists')).checklists.map(({ name }) => name)
  assert.equal(await all(), ['Release'], 'it is listed')
  const hits = found.parse(await call(user, 'GET', '/search?q=farewell')).results
  assert.equal(hits, [{ kind: 'checklist', id: list.id }], 'search finds its words')
  await done(home, 'undo', '--event', String(told[0]?.position), '--yes')
  assert.equal(withEntries.parse(await call(user, 'GET', one)).entries, entries, 'it is as it was')
  await call(admin, 'PUT', `/admin${one}`, { deletionLocked: true })
  assert.match(String(await call(user, 'DELETE', one).catch(String)), '403', 'a lock holds it')
  await call(admin, 'PUT', `/admin${one}`, { deletionLocked: false })
  await call(user, 'DELETE', one)
  assert.equal(await all(), [])
  await call(user, 'POST', '/undelete', { kind: 'checklist', id: list.id })
  assert.equal(await all(), ['Release'], 'it is brought back')
  const followed = changes.parse(await call(user, 'GET', '/changes?after=0')).changes
  const types = ['Created', 'Updated', 'Updated', 'DeletionLocked', 'DeletionUnlocked', 'Deleted', 'Restored']
  assert.equal(
    followed.filter(({ id }) => id === list.id).map(({ type }) => type),
    types.map((type) => `Checklist${type}`),
    'the feed tells of it'
  )
  assert.match(await done(home, 'audit', 'list', '--kind', 'checklist'), 'ChecklistUpdated', 'the audit log has it')
  await done(home, 'projections', 'verify')
})

test.run()
