import type { Change } from '@collections-hub/client'
import { ALONE, type AloneKind } from '../model/records.js'
import { onChange } from './live.js'
import { type Loadable, loadable } from './loaded.js'
import { hub, whenLeaving } from './session.js'

/** A record that stands by itself, as lists name it. */
export interface Named {
  readonly id: string
  readonly name: string
  readonly isLocked: boolean
}

const FIELDS = 'id,name,deletionLocked'

const load = {
  async collection(signal: AbortSignal) {
    const { body } = await hub().request('GET', '/collections', { query: { fields: FIELDS }, signal })
    return body.collections.map(named)
  },
  async environment(signal: AbortSignal) {
    const { body } = await hub().request('GET', '/environments', { query: { fields: FIELDS }, signal })
    return body.environments.map(named)
  },
  async snippet(signal: AbortSignal) {
    const { body } = await hub().request('GET', '/snippets', { query: { fields: FIELDS }, signal })
    return body.snippets.map(named)
  },
  async liveServer(signal: AbortSignal) {
    const { body } = await hub().request('GET', '/live-servers', { query: { fields: FIELDS }, signal })
    return body.liveServers.map(named)
  },
  async livePage(signal: AbortSignal) {
    const { body } = await hub().request('GET', '/live-pages', { query: { fields: FIELDS }, signal })
    return body.livePages.map(named)
  }
}

function named(record: { readonly id?: string; readonly name?: string; readonly deletionLocked?: boolean }): Named {
  return { id: record.id ?? '', name: record.name ?? '', isLocked: record.deletionLocked ?? false }
}

/** What the caller may see of each kind that stands by itself, in the hub's order. Shared by all views. */
export const catalog: Readonly<Record<AloneKind, Loadable<readonly Named[]>>> = {
  collection: loadable(load.collection),
  environment: loadable(load.environment),
  snippet: loadable(load.snippet),
  liveServer: loadable(load.liveServer),
  livePage: loadable(load.livePage)
}

/** Asks for all of it: when somebody signs in. */
export function loadCatalog(): void {
  for (const kind of Object.values(catalog)) void kind.reload()
}

const isAlone = (kind: string): kind is AloneKind => ALONE.some((one) => one === kind)

// Another name, a lock, a new record, or another access list: the list is small, and asked for anew.
onChange(({ kind }: Change) => {
  if (isAlone(kind)) void catalog[kind].reload()
  else if (kind === 'user') loadCatalog()
})
whenLeaving(() => {
  for (const kind of Object.values(catalog)) kind.clear()
})
