import { useMemo, useState } from 'preact/hooks'
import { type FieldDiff, fieldDiffs, MASKED_BY_HUB } from '../model/diffFields.js'
import { type JsonChange, jsonDiff } from '../model/diffJson.js'
import { withMarks } from '../model/marks.js'
import { counted } from '../model/numbers.js'
import { Button, Name } from './basics.js'
import type { DiffFieldsProps } from './DiffFields.js'
import { DiffLines } from './DiffLines.js'
import css from './DiffList.module.css'

/** What differs, field by field: what people have put in, then behind its number what only tells how the record is kept. */
export function DiffList({ changes, more = 0, sides, nameOf }: DiffFieldsProps) {
  const diffs = useMemo(() => fieldDiffs(changes, sides, nameOf), [changes, sides, nameOf])
  const technical = diffs.filter(({ isTechnical }) => isTechnical)
  const shown = diffs.filter(({ isTechnical }) => !isTechnical)
  const isOnly = shown.length === 0
  return (
    <div class="stack fit gap-8">
      {isOnly && <p class="hint">Nothing differs that people have put in.</p>}
      {shown.map((diff) => (
        <Field key={diff.key} diff={diff} />
      ))}
      {more > 0 && <p class="hint">And {counted(more, 'more change')}, too many to list here.</p>}
      {technical.length > 0 && (
        <details class={css.technical}>
          <summary>
            {isOnly ? '' : 'and '}
            {counted(technical.length, 'technical field')}
          </summary>
          <div class="stack fit gap-8">
            {technical.map((diff) => (
              <Field key={diff.key} diff={diff} />
            ))}
          </div>
        </details>
      )}
    </div>
  )
}

function Field({ diff: { label, from, to, isSecret, masked = null } }: { readonly diff: FieldDiff }) {
  const [isShown, setShown] = useState(false)
  const [isByStructure, setByStructure] = useState(false)
  const isKeptBack = from === MASKED_BY_HUB || to === MASKED_BY_HUB
  const structure = useMemo(() => (from && to && !isSecret ? jsonDiff(from, to) : null), [from, to, isSecret])
  const shown = isSecret && !isShown ? masked : { from, to }
  return (
    <div class="stack gap-2">
      <p class={`${css.head} flex wrap bold gap-line`}>
        <Name of={label} />
        {isKeptBack && <span class="light hint">masked by the hub</span>}
        {isSecret && !isKeptBack && (
          <Button kind="quiet" aria-label={`${isShown ? 'Mask' : 'Show'} ${label}`} onClick={() => setShown(!isShown)}>
            {isShown ? 'Mask' : 'Show'}
          </Button>
        )}
        {structure && (
          <Button kind="quiet" onClick={() => setByStructure(!isByStructure)}>
            {isByStructure ? 'Line by line' : 'By structure'}
          </Button>
        )}
      </p>
      {structure && isByStructure ? (
        <Structure changes={structure} />
      ) : (
        <DiffLines
          label={label}
          from={(shown?.from ?? from) || ''}
          to={(shown?.to ?? to) || ''}
          isMasked={isKeptBack || shown === null}
        />
      )}
    </div>
  )
}

/** Values that differ, whatever way the texts around them are written. */
function Structure({ changes }: { readonly changes: readonly JsonChange[] }) {
  if (changes.length === 0) return <p class="hint">Both say the same, written in another way.</p>
  return (
    <div class="stack gap-4">
      {changes.map(({ path, from, to }, index) => (
        <div key={index} class="stack gap-2">
          <code>{withMarks(path)}</code>
          <DiffLines label={path} from={from ?? ''} to={to ?? ''} isMasked={false} />
        </div>
      ))}
    </div>
  )
}
