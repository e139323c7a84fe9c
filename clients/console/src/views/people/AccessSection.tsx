import type { Schemas } from '@collections-hub/client'
import { users } from '../../app/accounts.js'
import { catalog } from '../../app/catalog.js'
import { knownOf, useAct } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import { hub, isAdmin, manages } from '../../app/session.js'
import { ACCESS_LISTS, type AccessList, EACH_LIST, limitInWords, opensAll, withoutStale } from '../../model/access.js'
import { count, counted } from '../../model/numbers.js'
import type { Spend } from '../../model/people.js'
import { pathOf } from '../../model/records.js'
import { spendInWords } from '../../model/usage.js'
import { capitalized } from '../../model/words.js'
import { Button, Fact, Facts, Icon, Name, Section, toast } from '../../ui/kit.js'
import css from './people.module.css'

/** So many names stand in a list. */
const NAMES_MOST = 30

interface AccessProps {
  readonly user: Schemas['ListedUser']
  readonly spend: Spend | undefined
}

/** What an account may use, each thing by its name, and what it has used of models. */
export function AccessSection({ user, spend }: AccessProps) {
  if (user.exactRole !== 'user') {
    return (
      <Section title="Access">
        <p>{OF_ROLE[user.exactRole]}</p>
      </Section>
    )
  }
  return (
    <Section title="Access">
      {user.warnings.length > 0 && manages(user) && <RemoveStale user={user} />}
      <Facts>
        {EACH_LIST.map((list) => (
          <Fact key={list} name={capitalized(ACCESS_LISTS[list].plural)}>
            <Opened list={list} ids={user[list]} />
          </Fact>
        ))}
        <Fact name="Models">
          {!user.llmAccess ? 'None' : opensAll(user.llmModels) ? 'All that the hub offers' : named(user.llmModels)}
        </Fact>
        {(user.llmAccess || spend) &&
          (isAdmin.value ? (
            <Fact name="This month">{spentOf(user, spend)}</Fact>
          ) : (
            <Fact name="Limit">{limitInWords(user.llmMonthlyTokenLimit)}</Fact>
          ))}
      </Facts>
    </Section>
  )
}

const OF_ROLE = {
  admin:
    'Manages accounts, locks and the hub itself, and sees everything in it. Changes no records, and uses no models.',
  accountAdmin: 'Manages accounts of users, and groups. Sees no records, and uses no models.',
  auditor: 'Reads the audit, and nothing else.'
} as const

function Opened({ list, ids }: { readonly list: AccessList; readonly ids: readonly string[] }) {
  if (opensAll(ids)) return <>All, also those that are made later</>
  if (ids.length === 0) return <>None</>
  const { kind } = ACCESS_LISTS[list]
  const known = knownOf(catalog[kind])
  const names = new Map(known?.map(({ id, name }) => [id, name]))
  return (
    <ul class={`${css.names} flex wrap`}>
      {ids.slice(0, NAMES_MOST).map((id) => {
        const name = names.get(id)
        return (
          <li key={id}>
            {name === undefined ? (
              <span class="soft">{known ? `${id} (gone)` : id}</span>
            ) : (
              <a href={linkTo(pathOf({ kind, id }))}>
                <Name of={name} />
              </a>
            )}
          </li>
        )
      })}
      {ids.length > NAMES_MOST && <li>and {count(ids.length - NAMES_MOST)} more</li>}
    </ul>
  )
}

const named = (ids: readonly string[]): string => (ids.length === 0 ? 'None' : ids.join(', '))

function spentOf({ llmMonthlyTokenLimit: limit }: Schemas['User'], spend: Spend | undefined): string {
  const used = spend?.totalTokens ?? 0
  const tokens = limit === null ? `${counted(used, 'token')}, no limit` : `${count(used)} of ${counted(limit, 'token')}`
  return spend && spend.cost !== null ? `${tokens}, ${spendInWords(spend)}` : tokens
}

/** That access lists of an account name what is gone, and the way to take just that out. */
export function RemoveStale({ user }: { readonly user: Schemas['ListedUser'] }) {
  const { isBusy, failure, run } = useAct()
  const { id, name, warnings } = user
  const remove = async () => {
    const path = { id }
    // The account as it is now: nothing that somebody has changed in the meantime is put back.
    const { body: account, etag } = await hub().request('GET', '/admin/users/{id}', { path })
    const body = withoutStale(account, warnings)
    await hub().request('PUT', '/admin/users/{id}', { path, body, ...(etag !== null && { ifMatch: etag }) })
    toast(`The access of ${name} names only what there is.`)
    await users.reload()
  }
  const about =
    warnings.length === 1
      ? 'One thing in these lists is gone.'
      : `${counted(warnings.length, 'thing')} in these lists are gone.`
  return (
    <div class={`${css.stale} row wrap`}>
      <Icon name="warning" size={14} />
      <span title={warnings.join('\n')}>{failure?.message ?? about}</span>
      <Button kind="quiet" isBusy={isBusy} onClick={() => run(remove)} aria-label={`Remove what is gone: ${name}`}>
        Remove what is gone
      </Button>
    </div>
  )
}
