import { isTold, unread } from '../../app/notices.js'
import { linkTo, route } from '../../app/route.js'
import { badgeOf, bellName } from '../../model/notices.js'
import { Icon } from '../../ui/Icon.js'
import css from './Bell.module.css'

/** The way to what others have done, with how much of it is new; nothing for who is told nothing. */
export function Bell() {
  if (!isTold()) return null
  const count = unread.value
  return (
    <a
      class={css.bell}
      href={linkTo(['notices'])}
      aria-label={bellName(count)}
      aria-current={route.value.path[0] === 'notices' ? 'page' : undefined}
    >
      <Icon name="bell" />
      {count > 0 && (
        <span class={css.count} aria-hidden="true">
          {badgeOf(count)}
        </span>
      )}
    </a>
  )
}
