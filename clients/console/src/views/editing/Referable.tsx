import type { ComponentChildren } from 'preact'
import { knownOf } from '../../app/loaded.js'
import { useSurroundings } from '../../app/surroundings.js'
import { Variable } from '../../ui/Referring.js'
import { EnvironmentChoice } from '../record/SentWith.js'
import { Completing } from './Completing.js'

interface ReferableProps {
  /** The collection whose variables can be referred to; null where none can. */
  readonly collectionId: string | null
  readonly children: ComponentChildren
}

/** Fields in which references to variables are told, and completed, with the environment that is chosen. */
export function Referable({ collectionId, children }: ReferableProps) {
  if (collectionId === null) return <div class="stack fit gap-12">{children}</div>
  return <Within {...{ collectionId, children }} />
}

function Within({ collectionId, children }: { readonly collectionId: string; readonly children: ComponentChildren }) {
  const variables = knownOf(useSurroundings(collectionId))?.variables ?? null
  return (
    <Variable.Provider value={variables}>
      <Completing>{children}</Completing>
      <EnvironmentChoice hint="Its variables are offered where {{ is typed." />
    </Variable.Provider>
  )
}
