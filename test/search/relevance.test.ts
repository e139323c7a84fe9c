import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { systemEditor } from '../../commands/people/user/system.js'
import { tables } from '../../projections/index.js'
import type { OpenLedger } from '../../src/app/openLedger.js'
import type { SearchResult } from '../../src/followers/search/results.js'
import { search } from '../../src/followers/search/search.js'
import { editorOrigin } from '../../src/ledger/ledger.js'
import { readImport } from '../../src/records/import/formats.js'
import { runImport } from '../../src/records/import/import.js'
import { memoryDatabase, type TestDatabase } from '../contract/databases.js'
import { newLedger } from '../history/log.js'
import { suite } from '../support/suite.js'
import { QUESTIONS } from './questions.js'

/** Descriptions of interfaces from `@readme/oas-examples`, in the order in which they are imported: the last is the newest. */
const SOURCES = [
  ...['3.0/json/petstore.json', '3.1/json/train-travel.json', '3.0/json/uspto.json', '3.0/json/link-example.json'],
  ...['3.1/json/readme.json', '3.0/json/star-trek.json', '3.0/json/http-status-codes.json'],
  ...['3.0/json/file-uploads.json', '3.0/json/security.json']
]
const FIRST_AT_LEAST = 50
const AMONG_THREE_AT_LEAST = 58

const test = suite('relevance of search')
let database: TestDatabase
let ledger: OpenLedger

test.before(async () => {
  database = await memoryDatabase()
  ledger = await newLedger(await database.open(tables, 'relevance_'))
  for (const source of SOURCES) {
    const file = readFileSync(new URL(import.meta.resolve(`@readme/oas-examples/${source}`)))
    const options = { into: null, overwrite: false, prune: false }
    await runImport(ledger, editorOrigin, systemEditor, readImport(file), options)
  }
})
test.after(() => database.disconnect())

/** What a question names a record by. */
const called = ({ kind, name, method, url = '' }: SearchResult) =>
  kind === 'request' ? `${method} ${url.replace('{{baseUrl}}', '').split('?')[0]}` : `${kind} ${name}`

/** The place of the wanted record among the first results, from 1; 0 where it is not there. */
async function placeOf(q: string, wanted: string): Promise<{ readonly place: number; readonly first: string }> {
  for (;;) {
    const { results, isComplete } = await search(ledger, async () => systemEditor, { q, limit: 10 })
    const names = results.map(called)
    if (isComplete) return { place: names.indexOf(wanted) + 1, first: names[0] ?? 'nothing' }
  }
}

test(`of 60 questions to imported collections, ${FIRST_AT_LEAST} find what is meant first, and ${AMONG_THREE_AT_LEAST} among three`, async () => {
  const missed: string[] = []
  const counts = { asked: 0, first: 0, amongThree: 0 }
  for (const [q, wanted] of Object.values(QUESTIONS).flat()) {
    const { place, first } = await placeOf(q, wanted)
    counts.asked++
    if (place === 1) counts.first++
    else missed.push(`${q}: ${wanted} is ${place === 0 ? 'not among ten' : `number ${place}`}, behind ${first}`)
    if (place >= 1 && place <= 3) counts.amongThree++
  }
  const told = `${counts.first} first, ${counts.amongThree} among three\n${missed.join('\n')}`
  process.stdout.write(`${told}\n`)
  assert.is(counts.asked, 60)
  assert.ok(counts.first >= FIRST_AT_LEAST && counts.amongThree >= AMONG_THREE_AT_LEAST, told)
})

test.run()
