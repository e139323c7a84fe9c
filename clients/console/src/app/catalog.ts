import type { Change, Schemas } from '@collections-hub/client'
import { ALONE, type AloneKind, isAlone, KINDS } from '../model/records.js'
import { onChange, together } from './live.js'
import { knownOf, type Loadable, loadable } from './loaded.js'
import { mayChange } from './records.js'
import { ask, seesRecords, whenLeaving } from './session.js'

/** A record that stands by itself, as lists name it. */
export interface Named {
  readonly id: string
  readonly name: string
  readonly isLocked: boolean
  /** The account that made it; null where that is not known. */
  readonly madeBy: string | null
}

const FIELDS = 'id,name,deletionLocked,createdByUserId'

type Listed = Partial<Pick<Schemas['Collection'], 'id' | 'name' | 'deletionLocked' | 'createdByUserId'>>

const listOf = (kind: AloneKind): Loadable<readonly Named[]> =>
  loadable(async (signal) => {
    const answer = await ask('GET', `/${KINDS[kind].plural}`, { query: { fields: FIELDS }, signal })
    const list: readonly Listed[] = Object.values(answer).flat()
    return list.map(({ id = '', name = '', deletionLocked = false, createdByUserId = null }) => ({
      ...{ id, name, isLocked: deletionLocked, madeBy: createdByUserId }
    }))
  })

/** What the caller may see of each kind that stands by itself, in the hub's order. Shared by all views. */
export const catalog: Readonly<Record<AloneKind, Loadable<readonly Named[]>>> = {
  collection: listOf('collection'),
  environment: listOf('environment'),
  snippet: listOf('snippet'),
  liveServer: listOf('liveServer'),
  livePage: listOf('livePage')
}

/** The collections that the caller may change, in the hub's order: what records can be moved and imported into. */
export const changeableCollections = (): readonly Named[] =>
  (knownOf(catalog.collection) ?? []).filter(({ id }) => mayChange({ id }))

/** What something that stands by itself is called; undefined where that is not known. */
export const nameIn = (kind: AloneKind, id: string | null | undefined): string | undefined =>
  knownOf(catalog[kind])?.find((one) => one.id === id)?.name

/** Asks for all of it: when somebody signs in who sees records. */
export function loadCatalog(): void {
  if (!seesRecords.value) return
  for (const kind of Object.values(catalog)) void kind.reload()
}

const again = Object.fromEntries(ALONE.map((kind) => [kind, together(catalog[kind].reload)]))

// Another name, a lock, a new record, or another access list: the list is small, and asked for anew.
onChange(({ kind }: Change) => {
  if (isAlone(kind)) again[kind]?.ask()
  else if (kind === 'user') loadCatalog()
})
whenLeaving(() => {
  for (const kind of ALONE) {
    again[kind]?.stop()
    catalog[kind].clear()
  }
})
