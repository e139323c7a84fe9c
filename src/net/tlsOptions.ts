import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import type { TlsConfig } from '../config/types.js'

/** What Node's TLS takes to do what a configuration says. A `servername` is what the certificate must name, whatever the host. */
export function tlsOptions({ ca, cert, key, servername, rejectUnauthorized }: TlsConfig): ConnectionOptions {
  return {
    rejectUnauthorized,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(servername !== undefined && {
      servername,
      checkServerIdentity: (_host, certificate) => checkServerIdentity(servername, certificate)
    })
  }
}
