import css from './Pairs.module.css'
import { Secret } from './Secret.js'

interface Pair {
  readonly key: string
  readonly value: string
  readonly enabled?: boolean | undefined
}

interface PairsProps {
  readonly label: string
  readonly pairs: readonly Pair[]
  /** Whether the value of this key is one that nobody should read over a shoulder. */
  readonly isSecret?: (key: string) => boolean
}

/** Names and values as a table; what is switched off says so. */
export function Pairs({ label, pairs, isSecret }: PairsProps) {
  return (
    <table class={css.pairs} aria-label={label}>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {pairs.map(({ key, value, enabled = true }, index) => (
          <tr key={index} class={enabled ? '' : css.off}>
            <th scope="row">
              <bdi>{key}</bdi>
              {!enabled && <span class={css.note}>off</span>}
            </th>
            <td>{isSecret?.(key) && value !== '' ? <Secret value={value} /> : <bdi>{value}</bdi>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
