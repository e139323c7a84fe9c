import { catalog } from '../../app/catalog.js'
import type { Auth, KeyValue, Variable } from '../../model/forms.js'
import { type Conflict, isList } from '../../model/merge.js'
import { isReference } from '../../model/secrets.js'
import { DiffLines } from '../../ui/DiffLines.js'
import { Pairs } from '../../ui/Pairs.js'
import css from './conflicts.module.css'
import { isSecretValue } from './PairsEditor.js'
import { called } from './words.js'

interface SideProps {
  readonly conflict: Conflict
  readonly side: 'mine' | 'theirs'
}

/** What one side made of it. Secrets stay masked. */
export function SideOf({ conflict, side }: SideProps) {
  const { field, key, base } = conflict
  const value = conflict[side]
  if (value === undefined) return <p class={css.gone}>Removed</p>
  // The field says what its values are.
  if (key !== undefined) return <RowsOf rows={[value as Row]} />
  if (isList(field)) return <RowsOf rows={value as readonly Row[]} />
  if (field === 'auth') return <AuthOf auth={value as Auth} />
  if (field === 'parentUuid') return <p>{environmentName(value)}</p>
  return <DiffLines label={called(conflict)} from={String(base ?? '')} to={String(value ?? '')} isMasked={false} />
}

type Row = KeyValue | Variable

function RowsOf({ rows }: { readonly rows: readonly Row[] }) {
  if (rows.length === 0) return <p class={css.gone}>Empty</p>
  const pairs = rows.flatMap((row) => {
    const { key, value, enabled } = row
    const more =
      'defaultValue' in row && row.defaultValue !== '' ? [{ key: `${key}, default`, value: row.defaultValue }] : []
    const shared = 'share' in row ? [{ key: `${key}, shared`, value: row.share ? 'yes' : 'no' }] : []
    return [{ key, value, enabled }, ...more, ...shared]
  })
  const isSecret = (key: string) =>
    pairs.some((pair) => pair.key === key && isSecretValue(pair) && !/, shared$/.test(key))
  return <Pairs label="Rows" pairs={pairs} isSecret={isSecret} />
}

function AuthOf({ auth: { type, basic, bearer } }: { readonly auth: Auth }) {
  const pairs = [
    { key: 'Type', value: type },
    ...(type === 'basic'
      ? [
          { key: 'User', value: basic.username },
          { key: 'Password', value: basic.password }
        ]
      : []),
    ...(type === 'bearer' ? [{ key: 'Token', value: bearer.token }] : [])
  ]
  const isSecret = (name: string) =>
    pairs.some(({ key, value }) => key === name && /^(?:Password|Token)$/.test(key) && !isReference(value))
  return <Pairs label="Authorization" pairs={pairs} isSecret={isSecret} />
}

function environmentName(id: unknown): string {
  const all = catalog.environment.state.value
  const found = all.is === 'ready' ? all.value.find((one) => one.id === id) : undefined
  return id === null ? 'Nothing' : (found?.name ?? 'One that you may not see')
}
