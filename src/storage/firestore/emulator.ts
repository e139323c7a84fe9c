import { createRequire } from 'node:module'
import type { v1 } from '@google-cloud/firestore'

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
export function emulatorOptions(host: string): NonNullable<Parameters[0]> {
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
