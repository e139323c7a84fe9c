import { isSharedToken } from './keptToken.js'
import { identity } from './session.js'

/**
 * Where the browser keeps something small for the account that is signed in: ids, and nothing that is in a record. Who signed in for
 * this tab alone leaves nothing behind.
 */
export function ownPlace(name: string) {
  const key = () => `hub.${name}/${identity().user.id}`
  const storage = () => (isSharedToken() ? localStorage : sessionStorage)
  return {
    read: (): string => storage().getItem(key()) ?? '',
    keep: (text: string): void => storage().setItem(key(), text)
  }
}
