import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { startPrivateFirestore } from './firestore-service.js'
import { suite } from './suite.js'

const emulator = suite('the Firestore emulator', { needs: ['firestore'] })

emulator('a private emulator serves until it is stopped', async () => {
  const { host, stop } = await startPrivateFirestore()
  assert.ok((await fetch(`http://${host}/`)).ok)
  await stop()
  const answer = await fetch(`http://${host}/`).catch(() => null)
  assert.is(answer, null)
})

emulator.run()

const missing = suite('a Firestore emulator that is missing')

/** What a file that needs the emulator prints with CI=true where none answers, with this jar on the machine. */
async function withoutEmulator(jar: string): Promise<string> {
  const file = fileURLToPath(new URL('../contract/firestore-head.test.js', import.meta.url))
  const { HUB_TEST_FIRESTORE_URL: _, ...environment } = process.env
  const missing = { HUB_TEST_FIRESTORE_MISSING: 'it does not start here', HUB_TEST_FIRESTORE_JAR: jar }
  const env = { ...environment, CI: 'true', ...missing }
  const ended = await promisify(execFile)(process.execPath, [file], { env }).catch((error: unknown) => error)
  if (typeof ended !== 'object' || ended === null || !('stdout' in ended)) throw ended
  return String(ended.stdout)
}

missing('where it is not installed, what needs it is skipped and named, also with CI=true', async () => {
  const printed = await withoutEmulator('')
  assert.match(printed, /skipped .*is one round trip.* \(it does not start here\)/)
  assert.match(printed, /0 passed, 0 failed, [1-9]\d* skipped/)
})

missing('where it is installed and does not start, what needs it fails with CI=true', async () => {
  const printed = await withoutEmulator('/opt/emulator.jar')
  assert.match(printed, /CI=true demands every service: it does not start here/)
  assert.match(printed, /0 passed, [1-9]\d* failed, 0 skipped/)
})

missing.run()
