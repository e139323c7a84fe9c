import { access, mkdtemp, readdir, realpath } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findBinary, freePort, type PrivateServer, startPrivateServer } from './private-server.js'
import type { ServiceKind } from './services.js'

export interface PrivateFirestore extends PrivateServer {
  /** What `FIRESTORE_EMULATOR_HOST` is to be. */
  readonly host: string
  readonly port: number
}

/** Where the Google Cloud CLI is usually installed. */
const CLOUD_SDKS = [
  '/usr/lib/google-cloud-sdk',
  '/usr/lib64/google-cloud-sdk',
  '/usr/local/google-cloud-sdk',
  '/usr/share/google-cloud-sdk',
  '/opt/google-cloud-sdk',
  '/opt/homebrew/share/google-cloud-sdk',
  join(homedir(), 'google-cloud-sdk')
]
/** Where the Firebase CLI keeps its downloads. */
const FIREBASE_CACHE = join(homedir(), '.cache/firebase/emulators')
const JAR = 'cloud-firestore-emulator.jar'
const MAIN = 'com.google.cloud.datastore.emulator.firestore.CloudFirestore'
/** It starts in half the time, which for a test run counts more than how fast it could become. */
const JAVA_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto', '-Xmx1g', '-Duser.language=en']

/** An emulator of the caller's own, to stop, freeze and kill; rejects with the reason where there can be none. */
export async function startPrivateFirestore(options: { readonly port?: number } = {}): Promise<PrivateFirestore> {
  const jar = await findEmulator()
  if (jar === null) throw new Error('no Firestore emulator in the usual places or on PATH')
  const java = await findBinary('java', process.env.JAVA_HOME ? [join(process.env.JAVA_HOME, 'bin')] : [])
  if (java === null) throw new Error('a Firestore emulator, but no java on PATH')
  const port = options.port ?? (await freePort())
  const host = `127.0.0.1:${port}`
  const directory = await mkdtemp(join(tmpdir(), 'hub-test-firestore-'))
  const args = [...JAVA_OPTIONS, '-cp', jar, MAIN, '--host=127.0.0.1', `--port=${port}`]
  const server = await startPrivateServer({ command: java, args, directory, ready: () => works(host) })
  return { ...server, host, port }
}

/** The Firestore emulator, found rather than expected: where nobody has installed it, what needs it is skipped. */
export const firestoreService: ServiceKind = {
  variable: 'HUB_TEST_FIRESTORE_URL',
  isExpected: async () => (await findEmulator()) !== null,
  usual: async () => {
    const host = process.env.FIRESTORE_EMULATOR_HOST
    if (host === undefined || host === '') return null
    return answers(host).then(
      () => `http://${host}`,
      () => null
    )
  },
  start: async () => {
    const { host, stop } = await startPrivateFirestore()
    return { url: `http://${host}`, stop }
  }
}

/**
 * The emulator's jar: the one that `HUB_TEST_FIRESTORE_JAR` names (none where that is empty), else of the Google Cloud CLI,
 * beside its script on PATH, or of the Firebase CLI.
 */
async function findEmulator(): Promise<string | null> {
  const named = process.env.HUB_TEST_FIRESTORE_JAR
  if (named !== undefined) return named === '' ? null : named
  const script = await findBinary('cloud_firestore_emulator')
  const beside = script === null ? [] : [join(dirname(await realpath(script)), JAR)]
  const installed = CLOUD_SDKS.map((path) => join(path, 'platform/cloud-firestore-emulator', JAR))
  const cached = (await readdir(FIREBASE_CACHE).catch(() => []))
    .filter((file) => /^cloud-firestore-emulator-.*\.jar$/.test(file))
    .map((file) => join(FIREBASE_CACHE, file))
  for (const path of [...beside, ...installed, ...cached.toSorted().toReversed()]) {
    const isThere = await access(path).then(
      () => true,
      () => false
    )
    if (isThere) return path
  }
  return null
}

/** Resolves once a commit and a query have been carried out: the first ones take seconds where others have the processors. */
async function works(host: string): Promise<void> {
  await answers(host)
  const documents = 'projects/hub-test-first/databases/(default)/documents'
  const write = { update: { name: `${documents}/first/one`, fields: { done: { booleanValue: true } } } }
  const query = { structuredQuery: { from: [{ collectionId: 'first' }], limit: 1 } }
  for (const [method, body] of [
    ['commit', { writes: [write] }],
    ['runQuery', query]
  ] as const) {
    const request = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const { ok, status } = await fetch(`http://${host}/v1/${documents}:${method}`, request)
    if (!ok) throw new Error(`It answers a ${method} with ${status}.`)
  }
}

async function answers(host: string): Promise<void> {
  const { ok, status } = await fetch(`http://${host}/`, { signal: AbortSignal.timeout(2000) })
  if (!ok) throw new Error(`It answers with ${status}.`)
}
