import { Time } from '../../ui/Time.js'
import css from './people.module.css'

/** When something was last used, or that it never was. */
export function LastUse({ at }: { readonly at: string | null }) {
  return at === null ? <span class={css.soft}>never</span> : <Time at={at} />
}
