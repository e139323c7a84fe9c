import { useMemo } from 'preact/hooks'
import { draftPlace } from '../../app/drafts.js'
import { linkWith } from '../../app/route.js'
import { FIELDS, LABELS } from '../../model/forms.js'
import type { RecordRef } from '../../model/records.js'
import { Button, ButtonLink } from '../../ui/Button.js'
import { Code } from '../../ui/Code.js'
import { Notice } from '../../ui/Notice.js'
import { Section } from '../../ui/Section.js'
import { Time } from '../../ui/Time.js'
import css from './DraftNotice.module.css'

/** Offers what somebody has typed here and not saved. Where the record is gone, shows it. */
export function DraftNotice({ record, isGone = false }: { readonly record: RecordRef; readonly isGone?: boolean }) {
  const place = useMemo(() => draftPlace(record), [record.kind, record.id])
  const draft = place.read()
  if (!draft) return null
  const fields = FIELDS[draft.kind].filter((field) => draft.mine[field] !== undefined)
  return (
    <div class={css.draft}>
      <Notice tone="note">
        <div class={css.line}>
          <span>
            You were editing this. What you typed (<Time at={new Date(draft.at).toISOString()} />) is not saved.
          </span>
          <span class={css.actions}>
            <Button onClick={() => place.drop()}>Discard it</Button>
            {!isGone && (
              <ButtonLink kind="primary" href={linkWith({ edit: 'yes' })}>
                Go on
              </ButtonLink>
            )}
          </span>
        </div>
      </Notice>
      {isGone &&
        fields.map((field) => (
          <Section key={field} title={LABELS[field]}>
            <Code label={LABELS[field]} text={textOf(draft.mine[field])} language="text" />
          </Section>
        ))}
    </div>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
