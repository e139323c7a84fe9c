import type { AuthorizationConfig, HubConfig } from '../config/types.js'
import { publicUrl } from '../net/serverUrl.js'
import type { ExpiringTexts } from '../throttle/expiringTexts.js'
import { type AuthorizationServer, authorizationServer } from './server.js'

/** What lets programs ask people for tokens. */
export interface AuthorizationService {
  readonly config: AuthorizationConfig
  /** Where people and programs reach the hub. */
  readonly base: URL
  /** It is opened with its first use. */
  server(): Promise<AuthorizationServer>
}

/** What a configuration lets programs ask by; null where it does not. */
export function openAuthorization(
  { authorization, server }: Pick<HubConfig, 'authorization' | 'server'>,
  texts: ExpiringTexts
): AuthorizationService | null {
  if (!authorization) return null
  const base = new URL(publicUrl(server))
  return { config: authorization, base, server: authorizationServer(base, authorization.keyFile, texts) }
}
