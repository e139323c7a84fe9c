import type { ComponentChildren } from 'preact'
import { useId, useMemo } from 'preact/hooks'
import { nameIn } from '../../app/catalog.js'
import { isUrlField } from '../../model/fieldNames.js'
import type { Auth, KeyValue, Variable } from '../../model/forms.js'
import { type Choice, type Conflict, isList } from '../../model/merge.js'
import { isMarked, mergeTexts } from '../../model/mergeTexts.js'
import { urlsMasked } from '../../model/urlSecrets.js'
import { DiffLines } from '../../ui/DiffLines.js'
import { Name, Pairs, TextArea, Tick } from '../../ui/kit.js'
import { authPairs } from '../record/RecordView.js'
import { called } from './Conflicts.js'
import css from './editing.module.css'

interface ConflictProps {
  readonly conflict: Conflict
  readonly who: string
  readonly choice: Choice | undefined
  readonly choose: (choice: Choice) => void
}

/** One thing that both sides have changed: theirs and yours beside each other, and of texts what becomes of both. */
export function ConflictOf({ conflict, who, choice, choose }: ConflictProps) {
  const { base, mine, theirs } = conflict
  const group = useId()
  const both = useMemo(() => bothOf(conflict), [base, mine, theirs])
  const option = (value: Choice, isChosen: boolean, label: ComponentChildren, shown: ComponentChildren) => (
    <div class={`${css.side} stack fit frame gap-4 ${isChosen ? css.chosen : ''}`}>
      <Tick type="radio" name={group} label={label} checked={isChosen} onChange={() => choose(value)} />
      {shown}
    </div>
  )
  const isBoth = typeof choice === 'object'
  return (
    <fieldset class="stack gap-4">
      <legend class="strong">
        <Name of={called(conflict)} />
      </legend>
      <div class={`${css.sides} stack gap-4`}>
        {option('mine', choice === 'mine', 'Yours', <SideOf conflict={conflict} side="mine" />)}
        {option(
          'theirs',
          choice === 'theirs',
          <bdi>{`What ${who} saved`}</bdi>,
          <SideOf conflict={conflict} side="theirs" />
        )}
      </div>
      {both !== null &&
        option(
          { text: both },
          isBoth,
          'Both together, as you edit it here',
          isBoth && (
            <TextArea
              label={`${called(conflict)}, of both`}
              isCode
              value={choice.text}
              fault={
                isMarked(choice.text)
                  ? 'Both changed the marked lines: keep what is to hold, and remove the marks.'
                  : undefined
              }
              change={(text) => choose({ text })}
            />
          )
        )}
    </fieldset>
  )
}

/** A text made of both; null where there is none to edit. */
function bothOf({ key, base, mine, theirs }: Conflict): string | null {
  if (key !== undefined || typeof base !== 'string' || typeof mine !== 'string' || typeof theirs !== 'string')
    return null
  if (![base, mine, theirs].some((text) => text.includes('\n'))) return null
  return mergeTexts(base, mine, theirs)?.text ?? null
}

/** What one side made of it. Secrets stay masked. */
function SideOf({ conflict, side }: { readonly conflict: Conflict; readonly side: 'mine' | 'theirs' }) {
  const { field, key, base } = conflict
  const value = conflict[side]
  if (value === undefined) return <p class={`${css.gone} soft`}>Removed</p>
  // The field says what its values are.
  if (key !== undefined) return <RowsOf rows={[value as Row]} />
  if (isList(field)) return <RowsOf rows={value as readonly Row[]} />
  if (field === 'auth') {
    const auth = value as Auth
    return <Pairs label="Authorization" pairs={[{ key: 'Type', value: auth.type }, ...authPairs(auth)]} />
  }
  if (field === 'parentUuid') return <p>{environmentName(value)}</p>
  const texts = { from: String(base ?? ''), to: String(value ?? '') }
  const shown = isUrlField(field) ? urlsMasked(texts.from, texts.to) : texts
  return <DiffLines label={called(conflict)} {...(shown ?? texts)} isMasked={shown === null} />
}

type Row = KeyValue | Variable

function RowsOf({ rows }: { readonly rows: readonly Row[] }) {
  if (rows.length === 0) return <p class={`${css.gone} soft`}>Empty</p>
  const pairs = rows.flatMap((row) => {
    const { key, value, enabled } = row
    if (!('share' in row)) return [{ key, value, enabled }]
    const { defaultValue, share } = row
    const kept = share ? {} : { isSecret: true }
    return [
      { key, value, enabled, ...kept },
      ...(defaultValue === '' ? [] : [{ key: `${key}, default`, value: defaultValue, ...kept }]),
      { key: `${key}, shared`, value: share ? 'yes' : 'no', isSecret: false }
    ]
  })
  return <Pairs label="Rows" pairs={pairs} />
}

function environmentName(id: unknown): string {
  if (typeof id !== 'string') return 'Nothing'
  return nameIn('environment', id) ?? 'One that you may not see'
}
