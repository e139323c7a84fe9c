import { invitations, knownOf, spending, tokens, useKept, users } from '../../app/accounts.js'
import { now } from '../../app/clock.js'
import { linkTo, route } from '../../app/route.js'
import { count, counted } from '../../model/numbers.js'
import { matches, orderOf, PEOPLE_ORDERS, peopleOf, sortedPeople, statusAt } from '../../model/people.js'
import { ButtonLink } from '../../ui/Button.js'
import { Placeholder } from '../../ui/Notice.js'
import { Page } from '../../ui/Page.js'
import { RowTable } from '../../ui/RowTable.js'
import { Show } from '../../ui/Show.js'
import { PEOPLE_COLUMNS } from './peopleColumns.js'
import { Toolbar, typedFilter } from './Toolbar.js'

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
  const isFiltered = found.length < people.length
  return (
    <>
      <Toolbar
        label="Find people"
        about={isFiltered ? `${count(found.length)} of ${count(people.length)}` : counted(people.length, 'account')}
      />
      {found.length === 0 ? (
        <Placeholder icon="people" title="Nobody is found by that">
          <p>Names are searched, and what people may use.</p>
        </Placeholder>
      ) : (
        <RowTable
          label="People"
          columns={PEOPLE_COLUMNS}
          rows={sortedPeople(found, order)}
          keyOf={({ user }) => user.id}
          order={order}
        />
      )}
    </>
  )
}
