import type { Schemas } from '@collections-hub/client'
import { invitations, nameOfUser, useKept, users } from '../../app/accounts.js'
import { now } from '../../app/clock.js'
import { linkTo, route } from '../../app/route.js'
import { counted } from '../../model/numbers.js'
import { matches, statusAt } from '../../model/people.js'
import { ButtonLink, Page, Placeholder, Show } from '../../ui/kit.js'
import { InvitationTable } from './InvitationTable.js'
import { Above, Filtered, OneOf, typedFilter } from './parts.js'

type Status = Schemas['Invitation']['status']

const STATES: readonly (readonly [Status | '', string])[] = [
  ['', 'All'],
  ['pending', 'Pending'],
  ['redeemed', 'Redeemed'],
  ['revoked', 'Revoked'],
  ['expired', 'Expired']
]

/** Every invitation, the newest first: who has come, and who has not. */
export function Invitations() {
  const all = useKept(invitations)
  useKept(users)
  return (
    <Page
      title="Invitations"
      above={<Above />}
      lead="Each lets one person in, once."
      actions={
        <ButtonLink kind="primary" icon="plus" href={linkTo(['people', 'new'])}>
          Invite somebody
        </ButtonLink>
      }
    >
      <Show of={all}>{(listed) => <InvitationList all={listed} />}</Show>
    </Page>
  )
}

function InvitationList({ all }: { readonly all: readonly Schemas['Invitation'][] }) {
  const status = STATES.find(([one]) => one === route.value.query.get('state'))?.[0] ?? ''
  const typed = typedFilter()
  const found = all.filter(
    (one) =>
      (status === '' || statusAt(one, now.value) === status) && matches(typed, nameOfUser(one.userId), one.codePrefix)
  )
  if (all.length === 0) {
    return (
      <Placeholder icon="people" title="Nobody was invited yet">
        <p>
          An invitation is a link that becomes a token in the hands of whoever opens it, so that you need not send one.
        </p>
      </Placeholder>
    )
  }
  return (
    <Filtered
      label="Find invitations"
      all={all.length}
      found={found.length}
      about={counted(all.length, 'invitation')}
      narrow={<OneOf label="State" name="state" options={STATES} value={status} />}
      none={{
        icon: 'people',
        title: 'No invitation is found by that',
        hint: 'Choose another state, or look for another name.'
      }}
    >
      <InvitationTable label="Invitations" invitations={found} />
    </Filtered>
  )
}
