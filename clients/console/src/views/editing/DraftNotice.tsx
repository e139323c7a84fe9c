import { useMemo } from 'preact/hooks'
import { draftPlace } from '../../app/drafts.js'
import { linkWith } from '../../app/route.js'
import { FIELDS, labelOf } from '../../model/forms.js'
import type { RecordRef } from '../../model/records.js'
import { Button, ButtonLink, Code, Notice, Section, Time } from '../../ui/kit.js'

/** Offers what somebody has typed here and not saved. Where the record is gone, shows it. */
export function DraftNotice({ record, isGone = false }: { readonly record: RecordRef; readonly isGone?: boolean }) {
  const place = useMemo(() => draftPlace(record), [record.kind, record.id])
  const draft = place.read()
  if (!draft) return null
  const fields = FIELDS[draft.kind].filter((field) => draft.mine[field] !== undefined)
  return (
    <div class="stack gap-8">
      <Notice tone="note">
        <div class="row wrap between gap-wide">
          <span>
            You were editing this. What you typed (<Time at={new Date(draft.at).toISOString()} />) is not saved.
          </span>
          <span class="flex wrap gap-4">
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
          <Section key={field} title={labelOf(field)}>
            <Code label={labelOf(field)} text={textOf(draft.mine[field])} language="text" />
          </Section>
        ))}
    </div>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
