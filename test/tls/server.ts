import { type PrivatePostgres, startPrivatePostgres } from '../support/postgres-service.js'
import type { TlsSetting } from './setting.js'

/** A Postgres that takes connections over TLS alone, and of a client called `certified` only with its certificate. */
export function postgresOverTls({ files }: TlsSetting): Promise<PrivatePostgres> {
  return startPrivatePostgres({
    files: { ...files, 'pg_hba.conf': 'hostssl all certified all cert\nhostssl all all all trust\n' },
    settings: [
      'ssl=on',
      ...['ssl_cert_file=../cert.pem', 'ssl_key_file=../key.pem', 'ssl_ca_file=../ca.pem'],
      'hba_file=pg_hba.conf'
    ],
    isEncrypted: true
  })
}
