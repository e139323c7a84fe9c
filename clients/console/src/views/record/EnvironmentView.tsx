import type { Schemas } from '@collections-hub/client'
import { catalog } from '../../app/catalog.js'
import { linkTo } from '../../app/route.js'
import { Section } from '../../ui/Section.js'
import { VariablesTable } from './VariablesTable.js'

/** An environment: its variables, and the one that it builds on. */
export function EnvironmentView({
  environment: { variables, parentUuid }
}: {
  readonly environment: Schemas['Environment']
}) {
  const all = catalog.environment.state.value
  const parent = all.is === 'ready' ? all.value.find(({ id }) => id === parentUuid) : undefined
  return (
    <>
      {parent && (
        <p>
          Builds on <a href={linkTo(['environments', parent.id])}>{parent.name}</a>.
        </p>
      )}
      <Section title="Variables">
        {variables.length === 0 ? <p>It has no variables yet.</p> : <VariablesTable variables={variables} />}
      </Section>
    </>
  )
}
