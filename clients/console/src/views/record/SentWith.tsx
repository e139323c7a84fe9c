import type { Schemas } from '@collections-hub/client'
import { catalog } from '../../app/catalog.js'
import { knownOf } from '../../app/loaded.js'
import { chooseEnvironment, chosenEnvironment, useSurroundings } from '../../app/surroundings.js'
import { counted } from '../../model/numbers.js'
import { pathNamesIn } from '../../model/pathVariables.js'
import { type Shared, textsSent } from '../../model/sent.js'
import { isSecretUrl } from '../../model/urlSecrets.js'
import { namesWithin, type Variables } from '../../model/variables.js'
import { Notice, type Pair, Pairs, Section, Select } from '../../ui/kit.js'
import { Variable } from '../../ui/Referring.js'
import { RequestView } from './RequestView.js'

/** A request with its variables as an environment and its collection set them; these stand below it. */
export function SentWith({ request }: { readonly request: Schemas['SavedRequest'] }) {
  const surroundings = useSurroundings(request.collectionId)
  const { variables = null, shared = null } = knownOf(surroundings) ?? {}
  const state = surroundings.state.value
  const names = referredBy(request, shared, variables ?? new Map())
  return (
    <Variable.Provider value={variables}>
      <RequestView request={request} />
      {names.length > 0 && (
        <Section title="Variables" aside={variables && unsetOf(names, variables)}>
          <div class="narrow">
            <EnvironmentChoice />
          </div>
          {state.is === 'failed' && <Notice tone="bad">{state.failure.message}</Notice>}
          {variables && <Pairs label="Variables" pairs={names.map((one) => pairOf(one, variables))} />}
        </Section>
      )}
    </Variable.Provider>
  )
}

/** The environment that requests are looked at and copied with. */
export function EnvironmentChoice({ hint }: { readonly hint?: string }) {
  const known = knownOf(catalog.environment) ?? []
  const options = known.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Select
      label="Environment"
      hint={hint}
      value={chosenEnvironment() ?? ''}
      options={[{ value: '', label: 'None' }, ...options]}
      change={(id) => chooseEnvironment(id === '' ? null : id)}
    />
  )
}

/** A variable, and how the request refers to it: those in the path of its URL have a colon before them. */
interface Referred {
  readonly name: string
  readonly key: string
}

/** What is referred to in all that is sent for a request, also by what its variables stand for. */
function referredBy(request: Schemas['SavedRequest'], shared: Shared | null, variables: Variables) {
  const inPath = pathNamesIn(request.url)
  const values = inPath.map((name) => variables.get(name)?.value ?? '')
  const references = namesWithin([...textsSent(request, shared), ...values], variables)
  return [...inPath.map((name) => ({ name, key: `:${name}` })), ...references.map((name) => ({ name, key: name }))]
}

function unsetOf(names: readonly Referred[], variables: Variables): string {
  const unset = names.filter(({ name }) => !variables.has(name)).length
  return unset === 0 ? 'all are set' : `${counted(unset, 'is', 'are')} not set`
}

function pairOf({ name, key }: Referred, variables: Variables): Pair {
  const known = variables.get(name)
  if (!known) return { key, value: 'Nothing sets this.', isSecret: false }
  return known.value === ''
    ? { key, value: `Empty in ${known.from}.`, isSecret: false }
    : { key, value: known.value, isSecret: known.isSecret || isSecretUrl(known.value) }
}
