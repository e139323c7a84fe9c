import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { startPrivateFirestore } from './firestore-service.js'
import { findService } from './services.js'
import { suite } from './suite.js'

const test = suite('the Firestore emulator')

const service = await findService('firestore')
if ('missing' in service) {
  test.skip('a private emulator serves until it is stopped', service.missing)
} else {
  test('a private emulator serves until it is stopped', async () => {
    const { host, stop } = await startPrivateFirestore()
    assert.ok((await fetch(`http://${host}/`)).ok)
    await stop()
    const answer = await fetch(`http://${host}/`).catch(() => null)
    assert.is(answer, null)
  })
}

test('where there is none, what needs it is skipped and named, also with CI=true', async () => {
  const file = fileURLToPath(new URL('../contract/firestore-head.test.js', import.meta.url))
  const { HUB_TEST_FIRESTORE_URL: _, ...environment } = process.env
  const env = { ...environment, CI: 'true', HUB_TEST_FIRESTORE_MISSING: 'nobody has one here' }
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env })
  assert.match(stdout, /skipped .*a commit is one round trip.* \(nobody has one here\)/)
  assert.match(stdout, /0 passed, 0 failed, [1-9]\d* skipped/)
})

test.run()
