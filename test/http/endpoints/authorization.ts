import { type Row, refuses } from '../endpoint.js'

const OFF = 'Programs get no tokens by themselves here: the configuration has no section authorization.'
const off = (row: Row['row'], sent: object = {}): Row => ({
  row,
  success: 404,
  sample: () => sent,
  cases: [refuses(404, OFF, 'a hub whose configuration does not have it', {})]
})
const code = { params: { code: 'BCDF-GHJK' } }

/** How programs ask for tokens, of a hub that has it not: what it does with it is told beside (`test/authorization/`). */
export const authorizationRows: readonly Row[] = [
  off('GET /.well-known/oauth-protected-resource'),
  off('GET /.well-known/oauth-protected-resource/mcp'),
  off('GET /.well-known/oauth-authorization-server'),
  off('POST /oauth/register', { body: {} }),
  off('POST /oauth/device_authorization', { body: {} }),
  off('POST /oauth/token', { body: {} }),
  off('GET /oauth/authorize'),
  off('GET /oauth/authorize/:uid', { params: { uid: 'x' } }),
  off('GET /auth/device'),
  off('GET /auth/questions/:code', code),
  off('POST /auth/questions/:code', { ...code, body: { approve: true } })
]
