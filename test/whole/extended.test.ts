import { execFile } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { newHome } from '../cli/support.js'
import { requestContent } from '../http/content.js'
import { temporaryDirectory } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { firstStart, withId } from './client.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PRODUCT = ['commands', 'projections', 'queries', 'migrations', 'cli', 'src', 'package.json', 'tsconfig.json']
const BUILD_LIMIT_MS = 180_000

/** A copy of the hub in which files say more, compiled. Rejects with what the compiler says. */
async function builtWith(path: string, edits: Readonly<Record<string, (text: string) => string>>): Promise<string> {
  for (const part of PRODUCT) cpSync(join(ROOT, part), join(path, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'))
  for (const [file, edit] of Object.entries(edits))
    writeFileSync(join(path, file), edit(readFileSync(join(path, file), 'utf8')))
  const options = {
    include: PRODUCT.filter((part) => !part.includes('.')),
    exclude: ['cli/vite.config.ts']
  }
  writeFileSync(join(path, 'product.json'), JSON.stringify({ extends: './tsconfig.json', ...options }))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [tsc, '-p', 'product.json'], { cwd: path, encoding: 'utf8' }).catch(
    ({ stdout }: { readonly stdout: string }) => assert.unreachable(stdout)
  )
  return join(path, 'dist/cli/main.js')
}

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
const requests = z.object({ requests: z.array(request) })
const folders = z.object({ folders: z.array(request) })
const versions = z.object({ versions: z.array(z.object({ changed: z.array(z.string()), position: z.number() })) })

const test = suite('a new field')

test(
  'is one line, and is stored, answered, listed, compared, taken back, and kept by whoever does not know it',
  async () => {
    const { path, remove } = await temporaryDirectory()
    const home = await newHome()
    try {
      const files = KINDS.map((kind) => [`commands/records/${kind}/fields.ts`, withPinned] as const)
      const main = await builtWith(path, Object.fromEntries(files))
      const port = await freePort()
      home.configure({ port })
      const { server, call, user } = await firstStart(home, port)
      const collectionId = withId.parse(await call(user, 'POST', '/collections', { name: 'Payments' })).id
      const all = `/collections/${collectionId}/requests`
      const { id } = withId.parse(await call(user, 'POST', all, { ...requestContent, folderId: null }))
      const inside = `/collections/${collectionId}/folders`
      const folder = withId.parse(await call(user, 'POST', inside, { name: 'Cards', parentFolderId: null }))
      await server.stop()

      const next = await newHome([process.execPath, main, '-c', join(home.path, 'server.yaml')])
      try {
        const migrated = await next.hub('migrate')
        assert.is(migrated.code, 0, migrated.stderr)
        const hub = await next.start()
        const one = async (body: object) =>
          request.parse(await call(user, 'PUT', `/requests/${id}`, { ...requestContent, collectionId, ...body }))
        const pinned = async (query = '') =>
          requests.parse(await call(user, 'GET', all + query)).requests.map((one) => one.pinned)
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
        const imported = requests.parse(await call(user, 'GET', all)).requests.find((one) => one.id === id)
        assert.equal(
          [imported?.name, imported?.pinned],
          ['Imported', true],
          'a file that has it not leaves it as it is'
        )
        const changed = async (body: object) => {
          await call(user, 'PATCH', `/folders/${folder.id}`, body)
          const past = versions.parse(await call(user, 'GET', `/folders/${folder.id}/history`)).versions
          return String(past[0]?.position)
        }
        await changed({ name: 'Cards', pinned: true })
        const undone = await next.hub('undo', '--event', await changed({ name: 'Drafts', pinned: false }), '--yes')
        assert.is(undone.code, 0, undone.stderr)
        const [back] = folders.parse(await call(user, 'GET', inside)).folders
        assert.equal([back?.name, back?.pinned], ['Cards', true], 'what is taken back has it as it was')
        for (const [path, body] of Object.entries(OTHERS)) {
          const { id } = request.parse(await call(user, 'POST', path, body))
          await call(user, 'PUT', `${path}/${id}`, { ...body, pinned: true })
          const after = await call(user, 'PUT', `${path}/${id}`, { ...body, name: 'Renamed' })
          assert.is(request.parse(after).pinned, true, `who leaves it out leaves it as it is in ${path}`)
        }
        const wrong = await call(user, 'PUT', `/requests/${id}`, { ...requestContent, collectionId, pinned: 7 }).catch(
          String
        )
        assert.match(String(wrong), '400', 'what it cannot be is refused')
        await hub.stop()
        const verified = await next.hub('projections', 'verify')
        assert.is(verified.code, 0, verified.stdout + verified.stderr)
      } finally {
        await next.remove()
      }
    } finally {
      await home.remove()
      await remove()
    }
  },
  { timeout_ms: BUILD_LIMIT_MS }
)

test.run()
