import firestore, { Firestore } from '@google-cloud/firestore'
import type { FirestoreConfig } from '../../config/types.js'
import { StorageUnavailable } from '../storage.js'

const DEFAULT_PORT = 8080
/** How long a commit may take. */
const COMMIT_LIMIT_MS = 10_000
/** How long a part of an answer may take: the client asks again a few times, for what it does not have yet. */
const READ_LIMIT_MS = 4000

/** How long single calls may take; by itself the client would wait for each a minute, and repeat it for ten. */
const CLIENT_CONFIG = {
  interfaces: {
    'google.firestore.v1.Firestore': {
      retry_codes: { none: [] },
      methods: {
        Commit: once(COMMIT_LIMIT_MS),
        BatchGetDocuments: once(READ_LIMIT_MS),
        RunQuery: once(READ_LIMIT_MS),
        RunAggregationQuery: once(READ_LIMIT_MS)
      }
    }
  }
}

function once(timeout_millis: number) {
  return { timeout_millis, retry_codes_name: 'none' }
}

/** Credentials that mean nothing, so that real ones are not looked for, which takes seconds where there are none. */
export const EMULATOR_CREDENTIALS = { client_email: 'emulator', private_key: 'none' }

/** A client with what is under way over it. */
export class Link {
  readonly #store: Firestore
  #calls = 0
  #isRetired = false

  constructor(store: Firestore) {
    this.#store = store
  }

  /** Asks; throws `StorageUnavailable` once the client is retired, of which nothing may be asked any more. */
  async run<T>(ask: (store: Firestore) => Promise<T>): Promise<T> {
    if (this.#isRetired) throw new StorageUnavailable('Firestore is not asked any more.')
    this.#calls++
    try {
      return await ask(this.#store)
    } finally {
      this.#calls--
      this.#end()
    }
  }

  /** Ends the client once nothing is under way: a client that is ended before asks once more, and nobody takes the failure. */
  retire(): void {
    this.#isRetired = true
    this.#end()
  }

  #end(): void {
    if (this.#isRetired && this.#calls === 0) this.#store.terminate().catch(() => {})
  }
}

/**
 * How to open clients of Firestore, or of the emulator that `FIRESTORE_EMULATOR_HOST` names: each has a connection of its own.
 * Nothing is asked yet, but the credentials are there, or it throws `StorageUnavailable`.
 */
export async function linksTo({
  projectId,
  keyFilename
}: Pick<FirestoreConfig, 'projectId' | 'keyFilename'>): Promise<() => Link> {
  const emulator = process.env.FIRESTORE_EMULATOR_HOST
  const settings = {
    projectId,
    ...(keyFilename !== undefined && { keyFilename }),
    ...(emulator ? emulatorSettings(emulator) : {}),
    clientConfig: CLIENT_CONFIG,
    gaxServerStreamingRetries: true,
    // After an outage the first call finds the server again at once, and not after a minute's pause.
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1000,
    'grpc.keepalive_time_ms': 60_000,
    'grpc.keepalive_timeout_ms': 5000,
    // A new connection is to be one, and not the one that does not answer.
    'grpc.use_local_subchannel_pool': 1
  }
  // Without its credentials the client would end the process at the first call.
  if (!emulator) await requireCredentials(settings)
  return () => new Link(new Firestore(settings))
}

function emulatorSettings(host: string) {
  // The client looks at the environment anew each time, but for the port.
  const port = Number(new URL(`http://${host}`).port || DEFAULT_PORT)
  return { host, port, ssl: false, credentials: EMULATOR_CREDENTIALS }
}

async function requireCredentials(
  settings: ConstructorParameters<typeof firestore.v1.FirestoreClient>[0]
): Promise<void> {
  try {
    await new firestore.v1.FirestoreClient(settings).initialize()
  } catch (error) {
    throw new StorageUnavailable('There are no credentials for Firestore that can be read.', { cause: error })
  }
}
