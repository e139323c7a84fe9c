import { computed, signal } from '@preact/signals'
import { isSharedToken } from './keptToken.js'
import { identity, session } from './session.js'
import { ofBrowser, ofTab } from './storage.js'

/**
 * Where the browser keeps something small for the account that is signed in: ids, and nothing that is in a record. Who signed in for
 * this tab alone leaves nothing behind. The text is empty while nobody is signed in.
 */
export function ownPlace(name: string) {
  const changes = signal(0)
  const key = () => `hub.${name}/${identity().user.id}`
  const storage = () => (isSharedToken() ? ofBrowser : ofTab)
  // Another tab has kept something: what is kept from here on goes on from that.
  addEventListener('storage', () => {
    changes.value = changes.peek() + 1
  })
  return {
    text: computed(() => {
      changes.value
      return session.value.is === 'open' ? (storage().getItem(key()) ?? '') : ''
    }),
    keep(text: string): void {
      storage().setItem(key(), text)
      changes.value = changes.peek() + 1
    }
  }
}
