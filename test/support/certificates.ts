import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findBinary } from './private-server.js'

const run = promisify(execFile)

export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** An authority of the test's own. */
export interface Authority {
  readonly ca: string
  /** A certificate for this name as subject, and for these names and addresses as `DNS:localhost` and `IP:127.0.0.1`. */
  issue(name: string, alternatives?: readonly string[]): Promise<Certificate>
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '60']

/** Makes an authority whose files lie in this directory; null where the machine has no openssl. */
export async function makeAuthority(directory: string): Promise<Authority | null> {
  const openssl = await findBinary('openssl')
  if (openssl === null) return null
  const at = (name: string) => join(directory, name)
  const make = async (name: string, args: readonly string[]): Promise<Certificate> => {
    await run(openssl, [
      'req',
      '-x509',
      ...KEY,
      '-subj',
      `/CN=${name}`,
      '-keyout',
      at('key'),
      '-out',
      at('cert'),
      ...args
    ])
    return { cert: await readFile(at('cert'), 'utf8'), key: await readFile(at('key'), 'utf8') }
  }
  const authority = await make('Authority of a test', [])
  await writeFile(at('ca.pem'), authority.cert)
  await writeFile(at('ca-key.pem'), authority.key)
  return {
    ca: authority.cert,
    issue(name, alternatives = []) {
      const names = alternatives.length === 0 ? [] : ['-addext', `subjectAltName=${alternatives.join(',')}`]
      const usage = ['-addext', 'basicConstraints=critical,CA:FALSE']
      return make(name, ['-CA', at('ca.pem'), '-CAkey', at('ca-key.pem'), ...usage, ...names])
    }
  }
}
