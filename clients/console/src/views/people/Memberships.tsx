import type { Schemas } from '@collections-hub/client'
import { groups, useKept } from '../../app/accounts.js'
import { knownOf } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import { memberBy } from '../../model/groups.js'
import { MemberList } from './MemberList.js'

interface MembershipProps {
  readonly user: Schemas['User']
  readonly reload: () => Promise<void>
}

/** The groups of an account, and by what it is in each. */
export function MembershipSection({ user, reload }: MembershipProps) {
  useKept(groups)
  const all = knownOf(groups) ?? []
  const own = user.groups ?? []
  const names = new Map(all.map(({ id, name }) => [id, name]))
  const held = own.flatMap((one) => {
    const name = names.get(one.id)
    return name === undefined ? [] : [{ id: one.id, name, by: memberBy(one) }]
  })
  return (
    <MemberList
      title="Groups"
      aside="What a group may use, its members may."
      held={held}
      place="groups"
      takeOut="Take out of"
      offered={all.filter(({ id }) => !own.some((one) => one.id === id))}
      add="Add to group"
      membershipWith={(id) => ({ id, user: user.id })}
      reload={reload}
    >
      {all.length === 0 && (
        <p class="soft">
          There are no groups yet. <a href={linkTo(['groups'])}>Make one</a>
        </p>
      )}
    </MemberList>
  )
}
