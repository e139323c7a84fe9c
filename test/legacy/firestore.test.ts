import { Firestore } from '@google-cloud/firestore'
import * as assert from 'uvu/assert'
import { EMULATOR_CREDENTIALS } from '../../src/storage/firestore/link.js'
import { firestoreDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { documents } from './fixture.js'
import { proveTakeover } from './takeover.js'

const test = suite('an older hub in Firestore', { needs: ['firestore'] })

for (const [where, db] of [
  ['into SQLite', '{driver: sqlite, path: data/hub.sqlite}'],
  ['in its own project', null]
] as const) {
  test(`is taken over by migrate ${where}: old tokens authenticate and every record reads as before`, async () => {
    const database = await firestoreDatabase('legacy')
    assert.ok(database)
    await lay(database.config.projectId)
    const from = JSON.stringify(database.config)
    await proveTakeover(db === null ? { db: from } : { db, from })
  })
}

/** Writes the fixture as the older hub did. */
async function lay(projectId: string): Promise<void> {
  const store = new Firestore({ projectId, credentials: EMULATOR_CREDENTIALS })
  const batch = store.batch()
  for (const [collection, all] of Object.entries(documents())) {
    for (const { id, ...fields } of all) batch.set(store.collection(collection).doc(String(id)), fields)
  }
  await batch.commit()
  await store.terminate()
}

test.run()
