import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { catalog } from '../../app/catalog.js'
import { knownOf } from '../../app/loaded.js'
import { isAdmin } from '../../app/session.js'
import { isKind, KINDS, type Kind, wordsFor } from '../../model/records.js'
import { Ask, Check, Field, Select } from '../../ui/kit.js'

/** What is filled in of a webhook. */
type Subscription = Schemas['CreateWebhookBody']

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
        change={(url) => change({ url })}
      />
      <Field
        label="Note"
        value={description}
        hint="What it is for."
        change={(description) => change({ description })}
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
      <fieldset class="flex wrap gap-8">
        <legend>Of these kinds; none for all</legend>
        {offered.map((kind) => (
          <Check
            key={kind}
            label={wordsFor(kind)}
            isOn={kinds.includes(kind)}
            turn={(isOn) => change({ kinds: isOn ? [...kinds, kind] : kinds.filter((one) => one !== kind) })}
          />
        ))}
      </fieldset>
      <Field
        label="Types of change"
        spellcheck={false}
        value={types}
        hint="Such as RequestUpdated, separated by spaces; empty for all."
        change={setTypes}
      />
    </Ask>
  )
}
