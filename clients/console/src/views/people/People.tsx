import { invitations, spending, tokens, useKept, users } from '../../app/accounts.js'
import { now } from '../../app/clock.js'
import { knownOf } from '../../app/loaded.js'
import { linkTo, route } from '../../app/route.js'
import { isAdmin, manages } from '../../app/session.js'
import { faceOf } from '../../model/faces.js'
import { count, counted } from '../../model/numbers.js'
import { matches, orderOf, PEOPLE_ORDERS, type Person, peopleOf, sortedPeople, statusAt } from '../../model/people.js'
import { spendInWords } from '../../model/usage.js'
import { Avatar, Badge, ButtonLink, type Column, Name, Page, RowTable, Show } from '../../ui/kit.js'
import { RemoveStale } from './AccessSection.js'
import { Filtered, LastUse, typedFilter } from './parts.js'
import css from './people.module.css'

/** Everybody who has an account: what they may use, when they were last here, and what they have spent. */
export function People() {
  const all = useKept(users)
  useKept(tokens)
  useKept(invitations)
  useKept(spending)
  const pending = knownOf(invitations)?.filter((one) => statusAt(one, now.value) === 'pending').length ?? 0
  return (
    <Page
      title="People"
      lead="Who may use this hub, and what."
      actions={
        <>
          <ButtonLink href={linkTo(['invitations'])} aria-label={`Invitations, ${count(pending)} pending`}>
            Invitations{pending > 0 && ` (${count(pending)})`}
          </ButtonLink>
          <ButtonLink href={linkTo(['groups'])}>Groups</ButtonLink>
          <ButtonLink kind="primary" icon="plus" href={linkTo(['people', 'new'])}>
            New account
          </ButtonLink>
        </>
      }
    >
      <Show of={all}>{(listed) => <PeopleList listed={listed} />}</Show>
    </Page>
  )
}

function PeopleList({ listed }: { readonly listed: Parameters<typeof peopleOf>[0]['users'] }) {
  const people = peopleOf({
    users: listed,
    tokens: knownOf(tokens),
    invitations: knownOf(invitations),
    usage: knownOf(spending),
    now_ms: now.value
  })
  const order = orderOf(route.value.query.get('order'), PEOPLE_ORDERS, 'name')
  const typed = typedFilter()
  const found = people.filter(({ user, access }) => matches(typed, user.name, access))
  return (
    <Filtered
      label="Find people"
      all={people.length}
      found={found.length}
      about={counted(people.length, 'account')}
      none={{
        icon: 'people',
        title: 'Nobody is found by that',
        hint: 'Names are searched, and what people may use.'
      }}
    >
      <RowTable
        label="People"
        columns={isAdmin.value ? [...PEOPLE_COLUMNS, SPENT] : PEOPLE_COLUMNS}
        rows={sortedPeople(found, order)}
        keyOf={({ user }) => user.id}
        order={order}
      />
    </Filtered>
  )
}

/** What the list of people tells of each. */
const PEOPLE_COLUMNS: readonly Column<Person>[] = [
  { title: 'Name', width: 'minmax(14rem, 3fr)', order: 'name', isPlain: true, cell: (person) => <Who {...person} /> },
  { title: 'Access', width: 'minmax(12rem, 5fr)', isPlain: true, cell: (person) => <AccessOf {...person} /> },
  {
    title: 'Last use',
    width: '9.5rem',
    order: 'used',
    isDescending: true,
    cell: ({ lastUsedAt }) => lastUsedAt !== undefined && <LastUse at={lastUsedAt} />
  }
]

/** What administrators are told beside: those of accounts are not. */
const SPENT: Column<Person> = {
  title: 'Spent this month',
  width: '9rem',
  order: 'spent',
  isDescending: true,
  cell: ({ spend }) =>
    spend !== undefined && (
      <span class={spend ? '' : 'soft'} title={spend ? counted(spend.totalTokens, 'token') : undefined}>
        {spendInWords(spend)}
      </span>
    )
}

const BADGES = { admin: 'admin', accountAdmin: 'accounts', auditor: 'auditor' } as const

function Who({ user, isAwaited }: Person) {
  return (
    <span class={`${css.who} row wrap fit`}>
      <span class="row fit gap-5">
        <Avatar face={faceOf(user)} />
        <a class={`${css.link} bold plain`} href={linkTo(['people', user.id])}>
          <Name of={user.name} />
        </a>
      </span>
      {user.exactRole !== 'user' && <Badge tone="accent">{BADGES[user.exactRole]}</Badge>}
      {user.isService && <Badge>machine</Badge>}
      {user.disabledAt !== undefined && <Badge tone="bad">disabled</Badge>}
      {isAwaited && <Badge>invited</Badge>}
    </span>
  )
}

function AccessOf({ user, access }: Person) {
  return (
    <>
      <p class="soft">{access}</p>
      {user.warnings.length > 0 && manages(user) && <RemoveStale user={user} />}
    </>
  )
}
