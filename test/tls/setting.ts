import type { TlsConfig } from '../../src/config/types.js'
import { type Certificate, makeAuthority } from '../support/certificates.js'
import { temporaryDirectory } from '../support/databases.js'
import { findBinary } from '../support/private-server.js'
import { servicesDemanded } from '../support/services.js'
import type { Suite } from '../support/suite.js'

/** What servers that take TLS only are started with. */
export interface TlsSetting {
  /** Of a client called `certified`. */
  readonly client: Certificate
  /** The files of a server: `ca.pem`, and `cert.pem`, which is for `localhost` and for no address, with `key.pem`. */
  readonly files: Readonly<Record<string, string>>
  /** What verifies the server. */
  readonly tls: TlsConfig
  /** What verifies the servers of somebody else, who also knows a client of that name. */
  readonly stranger: TlsConfig & Certificate
}

/** The certificates of a test's own authority. */
export async function tlsSetting(): Promise<TlsSetting> {
  const [mine, other] = [await temporaryDirectory(), await temporaryDirectory()]
  try {
    const [authority, stranger] = [await makeAuthority(mine.path), await makeAuthority(other.path)]
    if (authority === null || stranger === null) throw new Error('no openssl on PATH')
    const server = await authority.issue('localhost', ['DNS:localhost'])
    return {
      client: await authority.issue('certified'),
      files: { 'cert.pem': server.cert, 'key.pem': server.key, 'ca.pem': authority.ca },
      tls: { ca: authority.ca, rejectUnauthorized: true },
      stranger: { ca: stranger.ca, rejectUnauthorized: true, ...(await stranger.issue('certified')) }
    }
  } finally {
    await mine.remove()
    await other.remove()
  }
}

/** The test function of a suite, or one that skips where a program is missing that the tests start. */
export async function needing(
  test: Suite,
  ...programs: readonly (readonly [name: string, directories?: readonly string[]])[]
) {
  if (servicesDemanded) return test
  for (const [name, directories] of programs) {
    if ((await findBinary(name, directories)) === null)
      return (testName: string) => test.skip(testName, `no ${name} on PATH`)
  }
  return test
}
