import type { ComponentChildren } from 'preact'
import { knownOf } from '../../app/loaded.js'
import { useSurroundings } from '../../app/surroundings.js'
import { isPathName } from '../../model/pathVariables.js'
import { namesLike, type Variables } from '../../model/variables.js'
import { type Begun, Completing, type Typing } from '../../ui/Completing.js'
import { Variable } from '../../ui/Referring.js'
import { EnvironmentChoice } from '../record/SentWith.js'

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
      <Completing label="Variables" one="variable" begunIn={variables && ((input) => begunIn(input, variables))}>
        {children}
      </Completing>
      <EnvironmentChoice hint="Its variables are offered where {{ is typed." />
    </Variable.Provider>
  )
}

const BEGUN = /\{\{\s*([^{}\s]*)$/
const BEGUN_IN_PATH = /^[^?#]*\/:([^/:?#{}]*)$/

/** The variables that can be meant in a line: where `{{` is typed, and in a path where `/:` is; null where none is begun. */
function begunIn(input: Typing, variables: Variables): Begun | null {
  if (!(input instanceof HTMLInputElement)) return null
  const before = input.value.slice(0, input.selectionStart ?? 0)
  const typed = BEGUN.exec(before)?.[1]
  if (typed !== undefined) return { typed, end: '}}', options: namesLike(typed, variables) }
  const inPath = input.dataset.path === undefined ? undefined : BEGUN_IN_PATH.exec(before)?.[1]
  if (inPath === undefined) return null
  return { typed: inPath, end: '', options: namesLike(inPath, variables).filter(({ name }) => isPathName(name)) }
}
