import { namesAround } from '../../app/names.js'
import { type Told, toldBy } from '../../model/auditChanges.js'
import type { AuditEntry } from '../../model/auditEntry.js'
import { count } from '../../model/numbers.js'
import { isKind } from '../../model/records.js'
import { DiffFields } from '../../ui/DiffFields.js'
import css from './Difference.module.css'

/** What was different afterwards, as of every record; of what is no record, and came or went, all that the event tells. */
export function Difference({ entry: { resource, changes, more } }: { readonly entry: AuditEntry }) {
  if (changes.length === 0) return null
  const { kind, id } = resource
  const told = isKind(kind) ? null : toldBy(changes)
  if (told) return <Telling told={told} more={more} />
  return <DiffFields changes={changes} more={more} {...(isKind(kind) && { nameOf: namesAround({ kind, id }) })} />
}

interface TellingProps {
  readonly told: readonly Told[]
  readonly more: number | undefined
}

function Telling({ told, more }: TellingProps) {
  return (
    <>
      <dl class={css.told}>
        {told.map(({ name, text }) => (
          <div key={name} class={css.field}>
            <dt>{name}</dt>
            <dd>
              <bdi>{text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {more !== undefined && <p class={css.more}>{count(more)} more are not listed.</p>}
    </>
  )
}
