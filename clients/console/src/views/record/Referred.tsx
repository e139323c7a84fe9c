import type { Schemas } from '@collections-hub/client'
import { useMemo } from 'preact/hooks'
import type { Loaded } from '../../app/records.js'
import { chosenEnvironment, useChain } from '../../app/surroundings.js'
import { variablesOf } from '../../model/variables.js'
import { Unknown, Variable } from '../../ui/Referring.js'
import { CollectionView, EnvironmentView, RecordView } from './RecordView.js'
import { SentWith } from './SentWith.js'

/** What a record holds now, as people read it, with its references to variables told. */
export function Referred({ loaded }: { readonly loaded: Loaded }) {
  switch (loaded.kind) {
    case 'request':
      return <SentWith request={loaded.content} />
    case 'collection':
      return <ReferredCollection collection={loaded.content} />
    case 'environment':
      return <ReferredEnvironment environment={loaded.content} />
    default:
      return <RecordView loaded={loaded} />
  }
}

/** A collection is read with the environment that is chosen, as its requests are. */
function ReferredCollection({ collection }: { readonly collection: Schemas['Collection'] }) {
  const chain = useChain(chosenEnvironment())
  const variables = useMemo(() => chain && variablesOf([...chain, collection]), [chain, collection])
  return (
    <Variable.Provider value={variables ?? null}>
      <CollectionView collection={collection} />
    </Variable.Provider>
  )
}

/** What an environment does not set, the collection that it is used with may. */
function ReferredEnvironment({ environment }: { readonly environment: Schemas['Environment'] }) {
  const chain = useChain(environment.parentUuid)
  const variables = useMemo(() => chain && variablesOf([environment, ...chain]), [chain, environment])
  return (
    <Unknown.Provider value="Not set in this environment: a collection may set it.">
      <Variable.Provider value={variables ?? null}>
        <EnvironmentView environment={environment} />
      </Variable.Provider>
    </Unknown.Provider>
  )
}
