import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import {
  doesAnything,
  doneOf,
  FOLDER_MOST,
  FORMATS,
  type ImportReport,
  isExportPreview,
  isReadByImport,
  isUnknownFormat,
  leftOutOfFolder,
  placesOf,
  summaryOf,
  togetherWith
} from '../../../clients/console/src/model/importing.js'
import { USUAL_BOUNDS } from '../../../src/config/importBounds.js'
import { errors } from '../../../src/errors.js'
import { IMPORT_FORMATS } from '../../../src/records/import/imported.js'
import { filesIn } from '../../../src/records/import/zip.js'
import { suite } from '../../support/suite.js'

const test = suite('imports in the console, in words')
const NOTHING = { created: 0, updated: 0, deleted: 0, unchanged: 0, conflicts: 0, gone: 0 }
const report = (change: Partial<ImportReport>): ImportReport => ({
  ...{ preview: true, format: 'postman', collection: { id: 'c1', name: 'Payments' }, counts: NOTHING },
  ...{ brings: 'collection', part: 'file', parts: [], changes: [], notes: [], position: null },
  ...change
})

test('what an import does is told in numbers, without what there is none of', () => {
  const change = { change: 'create', kind: 'request', name: 'Refund', path: [] } as const
  const changes = [
    { ...change, id: 'a' },
    { ...change, id: 'b' }
  ]
  // The third is the collection itself.
  assert.is(summaryOf({ changes, counts: { ...NOTHING, created: 3, unchanged: 3 } }), '2 new, 3 as before')
  assert.is(
    summaryOf({ changes, counts: { created: 2, updated: 2, deleted: 3, unchanged: 4, conflicts: 5, gone: 6 } }),
    '2 new, 2 changed, 3 deleted, 5 kept as changed here, 6 deleted here before, 4 as before'
  )
  assert.is(summaryOf({ changes: [], counts: NOTHING }), 'nothing is in it')
})

test('an import has something to do where anything changes or a collection is made', () => {
  assert.not(doesAnything(report({ counts: { ...NOTHING, unchanged: 9, conflicts: 1, gone: 1 } })))
  assert.ok(doesAnything(report({ counts: { ...NOTHING, deleted: 1 } })))
  const none = { id: null, name: 'New' }
  assert.ok(doesAnything(report({ collection: none })))
  assert.not(doesAnything(report({ brings: 'environments', collection: none, counts: { ...NOTHING, unchanged: 1 } })))
})

test('what an import has done is told with where it went, and an unknown format by its refusal', () => {
  const counts = { ...NOTHING, updated: 1 }
  assert.is(doneOf(report({ counts })), 'Imported into Payments: 1 changed.')
  assert.is(
    doneOf(report({ brings: 'environments', collection: { id: null, name: '' }, counts })),
    'Imported environments: 1 changed.'
  )
  assert.ok(isUnknownFormat(errors.importFormatUnknown(IMPORT_FORMATS).message))
  assert.not(isUnknownFormat(errors.importUnreadable('it is empty.').message))
  assert.equal(
    FORMATS.map(({ value }) => value),
    IMPORT_FORMATS
  )
})

test('what came together with a file, and what is left out of a folder, is told with its number', () => {
  assert.is(togetherWith(0, 0), '')
  assert.is(togetherWith(1, 0), '1 more came with it: each has its turn when this one is done.')
  assert.match(togetherWith(49, 2), /^49 more came .* 2 beyond 50 are left out\.$/)
  assert.equal(leftOutOfFolder({ taken: 3, others: 0, isCut: false }), [])
  assert.equal(leftOutOfFolder({ taken: FOLDER_MOST.files, others: 1, isCut: true }), [
    'It is more than the console takes of a folder: behind the first 5,000 files the rest is left out.',
    '1 file or hidden folder in it is of no kind that an import reads.'
  ])
})

test('an import reads the kinds of files of a folder that the hub reads of an archive', () => {
  const names = ['a.bru', 'a.json', 'a.md', 'a.markdown', 'a.yml', 'a.YAML', 'a.js', 'a.png', 'json', 'a.json.bak']
  const archive = zipSync(Object.fromEntries(names.map((one) => [one, strToU8('{}')])))
  assert.equal(names.filter(isReadByImport), [...filesIn(archive, USUAL_BOUNDS).keys()])
  assert.is(FOLDER_MOST.files, USUAL_BOUNDS.maxFiles)
})

test('a note tells the first places, and how many more there are', () => {
  assert.is(placesOf({ what: 'Cookies', count: 1, places: ['Refund'] }), 'Refund')
  assert.is(placesOf({ what: 'Cookies', count: 5, places: ['Refund', 'Charge'] }), 'Refund; Charge; and 3 more places')
  assert.is(placesOf({ what: 'Cookies', count: 2, places: [] }), '2 times')
})

test('a preview of an export is told from a file', () => {
  assert.ok(isExportPreview({ format: 'har', fileName: 'a.har', bytes: 3, notes: [] }))
  for (const file of [null, 'text', 3, {}, { info: { name: 'a' } }, { fileName: 'a', bytes: '3', notes: [] }])
    assert.not(isExportPreview(file))
})

test.run()
