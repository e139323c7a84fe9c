import { linkTo } from '../../app/route.js'
import css from './people.module.css'

/** The way up to the list of people. */
export function Above() {
  return (
    <nav class={css.above} aria-label="Where this is">
      <a href={linkTo(['people'])}>People</a>
    </nav>
  )
}
