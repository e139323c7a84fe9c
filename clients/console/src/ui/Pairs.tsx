import { useState } from 'preact/hooks'
import { isReference, isSecretName } from '../model/secrets.js'
import { isSecretUrl } from '../model/urlSecrets.js'
import { Button, Name } from './basics.js'
import { Section } from './layout.js'
import css from './pairs.module.css'
import { Referring } from './Referring.js'

/** A name and a value. */
export interface Pair {
  readonly key: string
  readonly value: string
  readonly enabled?: boolean | undefined
  /** Whether nobody should read the value over a shoulder; where it is not said, the name says it. */
  readonly isSecret?: boolean | undefined
}

/** Names and values as a table; what is switched off says so, and what nobody should read over a shoulder is masked. */
export function Pairs({ label, pairs }: { readonly label: string; readonly pairs: readonly Pair[] }) {
  return (
    <table class={css.pairs} aria-label={label}>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {pairs.map(({ key, value, enabled = true, isSecret = isSecretName(key) || isSecretUrl(value) }, index) => (
          <tr key={index} class={enabled ? '' : css.off}>
            <th scope="row">
              <Name of={key} />
              {!enabled && <span class={`${css.note} plain`}>off</span>}
            </th>
            <td>
              {isSecret && value !== '' && !isReference(value) ? <Secret value={value} /> : <Referring text={value} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface PairSectionProps {
  readonly title: string
  readonly aside?: string
  readonly pairs: readonly Pair[]
}

/** Names and values under a heading; nothing where there are none. */
export function PairSection({ title, aside, pairs }: PairSectionProps) {
  if (pairs.length === 0 && aside === undefined) return null
  return (
    <Section title={title} aside={aside}>
      <Pairs label={title} pairs={pairs} />
    </Section>
  )
}

/** A value that is masked until somebody asks to see it. */
export function Secret({ value }: { readonly value: string }) {
  // Of another value, which may take its place, nobody has asked to see it.
  const [shown, setShown] = useState<string | null>(null)
  const isShown = shown === value
  return (
    <span class={`${css.secret} wrap gap-4`}>
      {isShown ? (
        <Name of={value} />
      ) : (
        <span role="img" aria-label="masked">
          ••••••••
        </span>
      )}
      <Button kind="quiet" onClick={() => setShown(isShown ? null : value)}>
        {isShown ? 'Mask' : 'Show'}
      </Button>
    </span>
  )
}
