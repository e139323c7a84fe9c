import type { Schemas } from '@collections-hub/client'
import { isReference } from '../../model/secrets.js'
import { Pairs } from '../../ui/Pairs.js'
import { Section } from '../../ui/Section.js'

/** How a request, or all of a collection, says who asks; its secret is masked. */
export function AuthView({ auth }: { readonly auth: Schemas['Auth'] }) {
  const pairs =
    auth.type === 'basic'
      ? [
          { key: 'User', value: auth.basic.username },
          { key: 'Password', value: auth.basic.password }
        ]
      : [{ key: 'Token', value: auth.bearer.token }]
  const isSecret = (key: string) => key !== 'User' && pairs.some((pair) => pair.key === key && !isReference(pair.value))
  return (
    <Section title="Authorization" aside={auth.type}>
      <Pairs label="Authorization" pairs={pairs} isSecret={isSecret} />
    </Section>
  )
}
