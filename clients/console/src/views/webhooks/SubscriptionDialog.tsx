import { useState } from 'preact/hooks'
import { catalog } from '../../app/catalog.js'
import { knownOf } from '../../app/loaded.js'
import { isAdmin } from '../../app/session.js'
import type { Subscription } from '../../app/webhooks.js'
import { isKind, KINDS, type Kind, wordsFor } from '../../model/records.js'
import { Ask, Field, Select, Tick } from '../../ui/kit.js'
import css from './webhooks.module.css'

export const EMPTY: Subscription = { url: '', kinds: [], types: [], collectionId: null, description: '' }

interface SubscriptionProps {
  readonly title: string
  readonly verb: string
  readonly start: Subscription
  readonly act: (subscription: Subscription) => Promise<void>
  readonly close: () => void
}

const MEMBERS: readonly Kind[] = ['collection', 'folder', 'request', 'document']

/** What is sent, and where to. What the hub says against it stands below. */
export function SubscriptionDialog({ title, verb, start, act, close }: SubscriptionProps) {
  const collections = knownOf(catalog.collection) ?? []
  const first = isAdmin.value ? null : (collections[0]?.id ?? null)
  const [typed, setTyped] = useState<Subscription>({ ...start, collectionId: start.collectionId ?? first })
  const [types, setTypes] = useState(start.types?.join(' ') ?? '')
  const change = (part: Partial<Subscription>) => setTyped({ ...typed, ...part })
  const { url, description = '', kinds = [], collectionId = null } = typed
  // What stands by itself is in no collection.
  const offered = collectionId === null ? (Object.keys(KINDS) as Kind[]) : MEMBERS
  const save = async () => {
    const named = types.split(/[\s,]+/).filter((type) => type !== '')
    // Kinds that are not offered here at all were chosen elsewhere, and stay.
    const chosen = kinds.filter((kind) => !isKind(kind) || offered.includes(kind))
    await act({ ...typed, kinds: chosen, types: named })
    close()
  }
  return (
    <Ask title={title} verb={verb} disabled={url.trim() === ''} act={save} close={close}>
      <Field
        label="URL"
        type="url"
        spellcheck={false}
        value={url}
        hint="Gets a signed POST for each change."
        onInput={({ currentTarget }) => change({ url: currentTarget.value })}
      />
      <Field
        label="Note"
        value={description}
        hint="What it is for."
        onInput={({ currentTarget }) => change({ description: currentTarget.value })}
      />
      <Select
        label="Changes in"
        value={collectionId ?? ''}
        options={[
          ...(isAdmin.value ? [{ value: '', label: 'The whole hub' }] : []),
          ...collections.map(({ id, name }) => ({ value: id, label: name }))
        ]}
        change={(id) => change({ collectionId: id === '' ? null : id })}
      />
      <fieldset class={`${css.kinds} flex wrap gap-8`}>
        <legend>Of these kinds; none for all</legend>
        {offered.map((kind) => (
          <Tick
            key={kind}
            type="checkbox"
            label={wordsFor(kind)}
            checked={kinds.includes(kind)}
            onChange={({ currentTarget: { checked } }) =>
              change({ kinds: checked ? [...kinds, kind] : kinds.filter((one) => one !== kind) })
            }
          />
        ))}
      </fieldset>
      <Field
        label="Types of change"
        spellcheck={false}
        value={types}
        hint="Such as RequestUpdated, separated by spaces; empty for all."
        onInput={({ currentTarget }) => setTypes(currentTarget.value)}
      />
    </Ask>
  )
}
