import { Firestore } from '@google-cloud/firestore'
import * as assert from 'uvu/assert'
import { EMULATOR_CREDENTIALS } from '../../src/storage/firestore/link.js'
import { firestoreDatabase } from '../support/databases.js'
import { isFull } from '../support/full.js'
import { suite } from '../support/suite.js'
import { filledDocuments } from './filled.js'
import { documents } from './fixture.js'
import { proveTakeover } from './takeover.js'
import { proveWholeTakeover } from './whole.js'

const test = suite('an older hub in Firestore', { needs: ['firestore'] })

for (const [where, db] of [
  ['into SQLite', '{driver: sqlite, path: data/hub.sqlite}'],
  ['in its own project', null]
] as const)
  test(`is taken over by migrate ${where}: old tokens authenticate and every record reads as before`, async () => {
    const from = await laid(documents())
    await proveTakeover(db === null ? { db: from } : { db, from })
  })

// The older release is read in the usual run from Postgres.
for (const release of isFull ? (['0.5.4', '0.9.4'] as const) : (['0.9.4'] as const))
  test(`of release ${release}, with every collection and field filled, comes over whole, record by record`, async () => {
    await proveWholeTakeover(release, await laid(filledDocuments(release)))
  })

/** Writes documents by collection as the older hub did, into a project of their own; returns its `db` section. */
async function laid(collections: ReturnType<typeof documents>): Promise<string> {
  const database = await firestoreDatabase('legacy')
  assert.ok(database)
  const store = new Firestore({ projectId: database.config.projectId, credentials: EMULATOR_CREDENTIALS })
  const batch = store.batch()
  for (const [collection, all] of Object.entries(collections))
    for (const row of all) {
      const { id, ...fields } = row
      const at = store.collection(collection)
      // No document may have the id of the default tenant.
      if (id === undefined || id === '__default__') batch.set(at.doc(), row)
      else batch.set(at.doc(String(id)), fields)
    }
  await batch.commit()
  await store.terminate()
  return JSON.stringify(database.config)
}

test.run()
