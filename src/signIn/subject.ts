import { sha256 } from '../log/chain.js'
import type { SignedIn } from './provider.js'

/** What a subject of a provider is found by. */
export function keyOf({ issuer, subject }: Pick<SignedIn, 'issuer' | 'subject'>): string {
  return sha256(JSON.stringify([issuer, subject]))
}
