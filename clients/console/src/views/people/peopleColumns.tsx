import { linkTo } from '../../app/route.js'
import { faceOf } from '../../model/faces.js'
import { counted } from '../../model/numbers.js'
import type { Person } from '../../model/people.js'
import { spendInWords } from '../../model/spend.js'
import { Badge } from '../../ui/Badge.js'
import type { Column } from '../../ui/RowTable.js'
import { FaceOf } from '../faces/FaceOf.js'
import { LastUse } from './LastUse.js'
import css from './people.module.css'
import { RemoveStale } from './RemoveStale.js'

/** What the list of people tells of each. */
export const PEOPLE_COLUMNS: readonly Column<Person>[] = [
  { title: 'Name', width: 'minmax(14rem, 3fr)', order: 'name', isPlain: true, cell: (person) => <Who {...person} /> },
  { title: 'Access', width: 'minmax(12rem, 5fr)', isPlain: true, cell: (person) => <AccessOf {...person} /> },
  {
    title: 'Last use',
    width: '9.5rem',
    order: 'used',
    isDescending: true,
    cell: ({ lastUsedAt }) => lastUsedAt !== undefined && <LastUse at={lastUsedAt} />
  },
  {
    title: 'Spent this month',
    width: '9rem',
    order: 'spent',
    isDescending: true,
    cell: ({ spend }) =>
      spend !== undefined && (
        <span class={spend ? '' : css.soft} title={spend ? counted(spend.totalTokens, 'token') : undefined}>
          {spendInWords(spend)}
        </span>
      )
  }
]

function Who({ user, isAwaited }: Person) {
  return (
    <span class={css.who}>
      <FaceOf face={faceOf(user)} />
      <a class={css.link} href={linkTo(['people', user.id])}>
        <bdi>{user.name}</bdi>
      </a>
      {user.role === 'admin' && <Badge tone="accent">admin</Badge>}
      {isAwaited && <Badge>invited</Badge>}
    </span>
  )
}

function AccessOf({ user, access }: Person) {
  return (
    <>
      <p class={css.soft}>{access}</p>
      {user.warnings.length > 0 && <RemoveStale user={user} />}
    </>
  )
}
