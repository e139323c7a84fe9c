import { nameOfUser, tokens, useKept, users } from '../../app/accounts.js'
import { knownOf } from '../../app/loaded.js'
import { route } from '../../app/route.js'
import { counted } from '../../model/numbers.js'
import { matches, orderOf, sortedTokens, TOKEN_ORDERS } from '../../model/people.js'
import { Page, Show } from '../../ui/kit.js'
import { Filtered, OneOf, typedFilter } from './parts.js'
import { TokenTable } from './TokenTable.js'

const ORDERS = [
  ['', 'Last used first'],
  ['-used', 'Never used first'],
  ['owner', 'By owner'],
  ['-owner', 'By owner, from the end'],
  ['made', 'Newest first'],
  ['-made', 'Oldest first']
] as const

/** Every token of every account: who still needs which? */
export function Tokens() {
  const all = useKept(tokens)
  useKept(users)
  return (
    <Page title="Tokens" lead="Whoever has one of these gets in as its owner. A person’s page issues further ones.">
      <Show of={all}>{(listed) => <TokenList all={listed} />}</Show>
    </Page>
  )
}

function TokenList({ all }: { readonly all: Parameters<typeof sortedTokens>[0] }) {
  const asked = route.value.query.get('order')
  const order = orderOf(asked, TOKEN_ORDERS, 'used')
  const typed = typedFilter()
  const nameOf = namesOf()
  const found = all.filter((one) => matches(typed, one.name, one.tokenPrefix, nameOf(one.userId)))
  return (
    <Filtered
      label="Find tokens"
      all={all.length}
      found={found.length}
      about={counted(all.length, 'token')}
      narrow={
        <OneOf
          label="Order"
          name="order"
          options={ORDERS}
          value={ORDERS.find(([value]) => value === asked)?.[0] ?? ''}
        />
      }
      none={{
        icon: 'token',
        title: 'No token is found by that',
        hint: 'Names of tokens and of their owners are searched, and how tokens begin.'
      }}
    >
      <TokenTable label="Tokens" tokens={sortedTokens(found, order, nameOf)} order={order} />
    </Filtered>
  )
}

/** Names by id, looked up once for a whole list. */
function namesOf(): (userId: string) => string {
  const names = new Map(knownOf(users)?.map(({ id, name }) => [id, name]))
  return (userId) => names.get(userId) ?? nameOfUser(userId)
}
