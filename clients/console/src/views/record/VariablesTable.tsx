import type { Schemas } from '@collections-hub/client'
import { isReference, isSecretName } from '../../model/secrets.js'
import { Pairs } from '../../ui/Pairs.js'

type Variable = Schemas['Variable']

/** Variables with the value that holds: their own, or else the default. */
export function VariablesTable({ variables }: { readonly variables: readonly Variable[] }) {
  const pairs = variables.map(({ key, value, defaultValue, enabled }) => ({
    key,
    value: value === '' ? defaultValue : value,
    enabled
  }))
  const isSecret = (key: string) =>
    isSecretName(key) && pairs.some((pair) => pair.key === key && !isReference(pair.value))
  return <Pairs label="Variables" pairs={pairs} isSecret={isSecret} />
}
