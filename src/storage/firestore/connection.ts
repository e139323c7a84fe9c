import { createRequire } from 'node:module'
import type { v1 } from '@google-cloud/firestore'
import type { FirestoreConfig } from '../../config/types.js'
import { StorageUnavailable } from '../storage.js'

type Parameters = ConstructorParameters<typeof v1.FirestoreClient>
type Gax = Extract<NonNullable<Parameters[1]>, { readonly grpc: unknown }>

/** An emulator takes less in one request than Firestore does. */
export const EMULATOR_REQUEST_BYTES_MAX = 4 * 1024 * 1024

const DEFAULT_PORT = 8080

/** What an emulator takes anyone for an administrator by. */
export const EMULATOR_HEADERS = { Authorization: 'Bearer owner' }

/** Credentials that mean nothing, so that real ones are not looked for, which takes seconds where there are none. */
export const EMULATOR_CREDENTIALS = { client_email: 'emulator', private_key: 'none' }

/** How an emulator is reached: without encryption. */
function emulatorOptions(host: string): NonNullable<Parameters[0]> {
  const { hostname, port } = new URL(`http://${host}`)
  const clientRequire = createRequire(createRequire(import.meta.url).resolve('@google-cloud/firestore'))
  // The gRPC library that the client itself uses: another copy's credentials would not be its own.
  const gax: Gax = clientRequire('google-gax')
  return {
    servicePath: hostname,
    port: Number(port || DEFAULT_PORT),
    sslCreds: gax.grpc.credentials.createInsecure(),
    credentials: EMULATOR_CREDENTIALS
  }
}

export type Api = InstanceType<typeof v1.FirestoreClient>

/** One connection to Firestore. */
interface Link {
  readonly api: Api
  close(): void
}

/**
 * How to open connections to Firestore, or to an emulator: nothing is asked, but the credentials are there, or it throws
 * `StorageUnavailable`.
 */
export async function linksTo(
  { projectId, keyFilename }: Pick<FirestoreConfig, 'projectId' | 'keyFilename'>,
  emulator: string | undefined
): Promise<() => Promise<Link>> {
  // It takes a third of a second to load, which only those who use it should wait for.
  const { default: firestore } = await import('@google-cloud/firestore')
  return async () => {
    const api = new firestore.v1.FirestoreClient({
      projectId,
      ...(keyFilename !== undefined && { keyFilename }),
      // After an outage the first call finds the server again at once, and not after a minute's pause.
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1000,
      'grpc.keepalive_time_ms': 60_000,
      'grpc.keepalive_timeout_ms': 5000,
      // A new connection is to be one, and not the one that does not answer.
      'grpc.use_local_subchannel_pool': 1,
      ...(emulator && emulatorOptions(emulator))
    })
    // Without its credentials the client would end the process at the first call.
    const connection = await api.initialize().catch((error: unknown) => {
      throw new StorageUnavailable('There are no credentials for Firestore that can be read.', { cause: error })
    })
    // The client's own `close` would first open a connection to another service, only to close that too.
    return { api, close: () => void connection.close?.() }
  }
}
