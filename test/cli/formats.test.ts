import { linkSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { EXPORT_FORMATS } from '../../src/records/export/exported.js'
import { IMPORT_FORMATS } from '../../src/records/import/imported.js'
import { readCollection } from '../import/read.js'
import { suite } from '../support/suite.js'
import { type Home, migratedHome } from './support.js'

const test = suite('hub collection import and export')
let home: Home
let path: string

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const file = (...names: readonly string[]) =>
  JSON.stringify({
    info: { _postman_id: 'p', name: 'Orders', schema: SCHEMA },
    item: names.map((name) => ({ name, request: { method: 'GET', url: 'https://x.test', auth: { type: 'digest' } } }))
  })
const listed = z.object({ collections: z.array(z.looseObject({ name: z.string(), requests: z.number() })) })

test.before(async () => {
  home = await migratedHome()
  path = join(home.path, 'orders.json')
})

test('a preview says what would come of it and what cannot be carried over, and changes nothing', async () => {
  writeFileSync(path, file('One', 'Two'))
  const { code, stdout, stderr } = await home.here('collection', 'import', path, '--preview')
  assert.is(code, 0)
  assert.is(stdout, 'A new collection Orders, from postman:\nnew       request One\nnew       request Two\n3 created\n')
  assert.is(stderr, 'Note: Authentication by "digest" is not carried over: there is basic and bearer. One; Two\n')
  assert.equal(listed.parse(await home.json('collection', 'list')).collections, [])
})

test('where nobody can be asked it is done with --yes alone', async () => {
  const { code, stderr } = await home.here('collection', 'import', path)
  assert.is(code, 1)
  assert.match(stderr, 'Import this? Nobody can be asked here, so nothing was done. Add --yes to do it.')
  const asked = await home.asked(Object.assign(Readable.from(['y\n']), { isTTY: true }), 'collection', 'import', path)
  assert.match(asked.stdout, /\nImported into Orders \(/)
  assert.equal(
    listed.parse(await home.json('collection', 'list')).collections.map(({ name, requests }) => [name, requests]),
    [['Orders', 2]]
  )
})

test('again into the same collection, with what the file has no more deleted', async () => {
  writeFileSync(path, file('Two', 'Three'))
  const { stdout } = await home.here('collection', 'import', path, '--into', 'Orders', '--prune', '--yes')
  assert.match(stdout, 'new       request Three\ndeleted   request One\n1 created, 1 deleted, 1 unchanged\n')
  const same = await home.here('collection', 'import', path, '--into', 'Orders')
  assert.equal([same.code, same.stdout], [0, 'Into the collection Orders, from postman:\n2 unchanged\n'])
})

test('an export is a private file that can be imported, and no file of others is left open', async () => {
  const output = join(home.path, 'orders.zip')
  const { code, stderr } = await home.here('collection', 'export', 'Orders', '--format', 'bruno', '--output', output)
  assert.is(code, 0)
  assert.match(stderr, /^Wrote \d+ bytes to /)
  assert.is(statSync(output).mode & 0o077, 0)
  assert.is(readCollection(readFileSync(output)).tree.name, 'Orders')
})

test('an export takes the place of the one before when it is whole: what that was is not written over', async () => {
  const [output, before] = [join(home.path, 'orders.har'), join(home.path, 'before.har')]
  writeFileSync(output, 'the one before')
  linkSync(output, before)
  const { code } = await home.here('collection', 'export', 'Orders', '--format', 'har', '--output', output)
  assert.is(code, 0)
  assert.is(readFileSync(before, 'utf8'), 'the one before')
  const full = await home.here('collection', 'export', 'Orders', '--format', 'har', '--output', '/dev/full')
  assert.equal([full.code, full.stderr], [1, `ENOSPC: no space left on device, write '/dev/full'\n`])
})

test('what has no file, no format or no collection is refused with what to do', async () => {
  for (const [args, said] of [
    [['import', 'nowhere.json'], 'There is no file nowhere.json.'],
    [['import', home.path], `${home.path} is no file. Of a directory, give a zip archive.`],
    [['import', path, '--format', 'word'], `--format must be one of: ${IMPORT_FORMATS.join(', ')}.`],
    [['import', path, '--format', 'har'], 'The file cannot be imported: it does not look like har.'],
    [['import', path, '--into', 'Nothing'], 'Collection not found: no collection has the id or the name "Nothing".'],
    [['export', 'Orders', '--format', 'curl'], `--format must be one of: ${EXPORT_FORMATS.join(', ')}.`]
  ] as const) {
    const { code, stderr } = await home.here('collection', ...args)
    assert.is(code, 1)
    assert.ok(stderr.startsWith(said), stderr)
  }
})

test('an import that was not meant is taken back by the event that it told', async () => {
  const { stdout } = await home.here('collection', 'import', path, '--yes')
  const [, position = ''] = /To take it back: hub undo --event (\d+)/.exec(stdout) ?? []
  const names = async () => listed.parse(await home.json('collection', 'list')).collections.map(({ name }) => name)
  assert.is((await names()).length, 2)
  assert.match((await home.here('undo', '--event', position)).stdout, 'Would take back 3 records, and leave 0 as is.')
  assert.is((await home.here('undo', '--event', position, '--yes')).code, 0)
  assert.equal(await names(), ['Orders'])
})

test('an undo wants to know what is to be taken back', async () => {
  for (const [exit, args, said] of [
    [2, [], 'Give one of --token, --event and --request.'],
    [2, ['--event', '1', '--token', 'laptop'], 'Give one of --token, --event and --request.'],
    [1, ['--event', 'last'], '--event must be a position that hub audit list shows.'],
    [1, ['--event', '999999'], 'The log has no event at position 999999.'],
    [
      2,
      ['--event', '1', '--from', 'yesterday'],
      '--from and --to are for --token: an event or a request is at one time.'
    ]
  ] as const) {
    const { code, stderr } = await home.here('undo', ...args)
    assert.is(code, exit)
    assert.ok(stderr.startsWith(said), stderr)
  }
})

test('as JSON, for a program', async () => {
  const { counts, preview } = z
    .looseObject({ preview: z.boolean(), counts: z.looseObject({ created: z.number() }) })
    .parse(await home.json('collection', 'import', path, '--yes'))
  assert.equal([preview, counts.created], [false, 3])
})

test.run()
