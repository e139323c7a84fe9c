import { HubRequestError } from '@collections-hub/client'
import { signal } from '@preact/signals'
import type { SetBy } from '../model/sideBySide.js'
import { type Source, variablesOf } from '../model/variables.js'
import { catalog } from './catalog.js'
import { useReload } from './live.js'
import { knownOf, useLoadable } from './loaded.js'
import { type Loaded, loadRecord } from './records.js'
import { whenLeaving } from './session.js'
import { ofTab } from './storage.js'

const KEY = 'hub.environment'
/** An environment builds on another, so many at most. */
const ABOVE_MOST = 20

const chosen = signal(ofTab.getItem(KEY))

/** The environment that requests are looked at with, as long as it is there; null for none. The tab keeps which. */
export function chosenEnvironment(): string | null {
  const known = knownOf(catalog.environment) ?? []
  return known.some(({ id }) => id === chosen.value) ? chosen.value : null
}

export function chooseEnvironment(id: string | null): void {
  chosen.value = id
  if (id === null) ofTab.removeItem(KEY)
  else ofTab.setItem(KEY, id)
}
whenLeaving(() => chooseEnvironment(null))

/**
 * What is around a request of a collection when it is sent: what the collection adds, and what its variables stand for. The environment
 * that is chosen counts first, then what it builds on.
 */
export function useSurroundings(collectionId: string) {
  const id = chosenEnvironment()
  const found = useLoadable((signal) => loadSurroundings(collectionId, id, signal), [collectionId, id])
  useReload(found, ({ kind, id }) => kind === 'environment' || id === collectionId)
  return found
}

async function loadSurroundings(collectionId: string, environmentId: string | null, signal: AbortSignal) {
  const sources = await chainOf(environmentId, signal)
  const { content } = await loadRecord({ kind: 'collection', id: collectionId }, signal)
  return { shared: content, variables: variablesOf([...sources, content]) }
}

/** An environment with those that it builds on, itself first, up to one that may not be seen. */
async function chainOf(environmentId: string | null, signal: AbortSignal) {
  const chain: Loaded<'environment'>['content'][] = []
  for (let id = environmentId; id !== null && chain.length < ABOVE_MOST; ) {
    const content = await loadRecord({ kind: 'environment', id }, signal).then(
      ({ content }) => content,
      (error: unknown) => {
        if (chain.length > 0 && error instanceof HubRequestError && error.status === 403) return null
        throw error
      }
    )
    if (!content) break
    chain.push(content)
    id = content.parentUuid
  }
  return chain
}

/** The environment that is named with those that it builds on, itself first; none where none is named. */
export function useChain(id: string | null): readonly Source[] | undefined {
  const chain = useLoadable((signal) => chainOf(id, signal), [id])
  useReload(chain, ({ kind }) => kind === 'environment')
  return knownOf(chain)
}

/** What an environment sets, with what it has from those that it builds on. */
export async function loadSetBy(id: string, signal: AbortSignal): Promise<SetBy> {
  const chain = await chainOf(id, signal)
  return { id, name: chain[0]?.name ?? '', variables: variablesOf(chain) }
}
