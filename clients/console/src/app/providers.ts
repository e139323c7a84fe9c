import type { Schemas } from '@collections-hub/client'
import { hubOf, hubUrl } from './hub.js'
import { hub } from './session.js'

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

/** What the own account signs in with, beside tokens. */
export async function loadOwnSignIns(signal: AbortSignal): Promise<readonly Schemas['BoundSignIn'][]> {
  return (await hub().request('GET', '/auth/sign-ins', { signal })).body.signIns
}

/** Leads the browser to a provider, from which it comes back with the own account bound. */
export async function bindProvider({ id }: Offered): Promise<void> {
  const { location } = (await hub().request('POST', '/auth/sign-ins', { body: { provider: id } })).body
  window.location.assign(location)
}

/** Ends all sessions of the own account that sign-ins have given, this one too where it is one. */
export async function signOutEverywhere(): Promise<void> {
  await hub().request('POST', '/auth/sign-out/everywhere')
}

export async function unbindProvider(id: string): Promise<void> {
  await hub().request('DELETE', '/auth/sign-ins/{id}', { path: { id } })
}
