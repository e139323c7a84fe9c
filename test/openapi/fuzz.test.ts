import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { openApi } from '../../docs/openApi.js'
import { fields } from '../http/client.js'
import { sqlite } from '../http/drivers.js'
import { assertNoCrash } from '../http/hub-suite.js'
import { startHub } from '../http/support.js'
import { temporaryDirectory } from '../support/databases.js'
import { isFull } from '../support/full.js'
import { suite } from '../support/suite.js'
import { fuzz } from './fuzz.js'

const SEED = 20261122
const REQUESTS = isFull ? 50_000 : 5000
const test = suite(`requests made from the description (seed ${SEED})`)

test('every answer to them is one that the description tells of, and none is a failure', async () => {
  const { path } = await temporaryDirectory()
  const hub = await startHub(sqlite, { config: { authorization: { keyFile: join(path, 'key') } } })
  try {
    const document = fields(JSON.parse(JSON.stringify(await openApi())))
    const { statuses, unsuccessful } = await fuzz(hub, document, SEED, REQUESTS)
    assertNoCrash(hub)
    // There are no models, no webhooks, no providers and no encrypted discussions, nobody can guess the secret of an invitation, a
    // code or the name of a schema, and some records are gone by then.
    assert.ok(unsuccessful.length < 115, unsuccessful.join(', '))
    assert.ok((statuses[200] ?? 0) > 200 && (statuses[400] ?? 0) > 100, JSON.stringify(statuses))
  } finally {
    await hub.close()
  }
})

test.run()
