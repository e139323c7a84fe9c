import { hubOf, hubUrl } from './hub.js'
import { ask } from './session.js'

/** A way to sign in that the hub offers beside a token. */
export interface Offered {
  readonly id: string
  readonly name: string
}

/** The ways to sign in beside a token; none where the hub does not answer. */
export async function offeredProviders(): Promise<readonly Offered[]> {
  try {
    return (await hubOf(undefined, () => {}).request('GET', '/auth/sign-in')).body.providers
  } catch {
    return []
  }
}

/** Where a browser begins to sign in with a provider. */
export const signInAddress = ({ id }: Offered): string => `${hubUrl}/auth/sign-in/${encodeURIComponent(id)}`

/** Leads the browser to a provider, from which it comes back with the own account bound. */
export async function bindProvider({ id }: Offered): Promise<void> {
  const { location } = await ask('POST', '/auth/sign-ins', { body: { provider: id } })
  window.location.assign(location)
}
