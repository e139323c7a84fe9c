import { bySubject } from '../../commands/people/identity/decide.js'
import { sha256 } from '../log/chain.js'
import type { ReadModel } from '../readmodel/readModel.js'
import type { SignedIn } from './provider.js'

/** What a subject of a provider is found by. */
export function keyOf({ issuer, subject }: Pick<SignedIn, 'issuer' | 'subject'>): string {
  return sha256(JSON.stringify([issuer, subject]))
}

/**
 * The same, for whoever may be bound: a provider at the root of its host may call itself with a slash at the end that the configuration
 * does not have, by which administrators and directories bind, or the other way round. What is bound so is what they are found by.
 */
export async function keyFound(
  read: Pick<ReadModel, 'current' | 'list'>,
  { issuer, subject }: Pick<SignedIn, 'issuer' | 'subject'>
): Promise<string> {
  await read.current()
  const own = keyOf({ issuer, subject })
  const other = keyOf({ issuer: otherForm(issuer), subject })
  return !(await bySubject(own, read)) && (await bySubject(other, read)) ? other : own
}

function otherForm(issuer: string): string {
  const { href, origin, pathname } = new URL(issuer)
  if (pathname !== '/') return issuer
  return issuer === origin ? href : origin
}
