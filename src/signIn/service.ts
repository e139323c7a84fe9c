import type { HubConfig, SignInConfig } from '../config/types.js'
import { errors } from '../errors.js'
import { once } from '../lib/once.js'
import { publicUrl } from '../net/serverUrl.js'
import type { Reach } from './fetch.js'
import { Provider, type Trouble } from './provider.js'
import type { Seals } from './sealed.js'

/** What a hub signs people in with. */
export interface SignInService {
  readonly config: SignInConfig
  /** Where people reach the hub: the address that the provider leads back to begins with it. */
  readonly base: URL
  readonly providers: readonly Provider[]
  /** The provider of this id; 404 where there is none. */
  provider(id: string): Provider
  /** What seals a sign-in on its way, with a key that is read or made when it is first needed. */
  seals(): Promise<Seals>
}

/** What a configuration signs people in with; null where it does not. */
export function openSignIn(
  { signIn, server }: Pick<HubConfig, 'signIn' | 'server'>,
  trouble: Trouble,
  reach?: Reach
): SignInService | null {
  if (!signIn) return null
  const base = new URL(publicUrl(server))
  const providers = signIn.providers.map(
    (config) =>
      new Provider(config, `${String(base).replace(/\/+$/, '')}/auth/sign-in/${config.id}/callback`, trouble, reach)
  )
  const seals = once(() => import('./sealed.js').then(({ sealsWith }) => sealsWith(signIn.keyFile)))
  return {
    config: signIn,
    base,
    providers,
    provider(id) {
      const found = providers.find(({ config }) => config.id === id)
      if (!found) throw errors.providerUnknown()
      return found
    },
    seals
  }
}
