import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { isSystem, knownOf, nameOfUser, users } from '../../app/accounts.js'
import { linkTo } from '../../app/route.js'
import { identity } from '../../app/session.js'
import { Badge } from '../../ui/Badge.js'
import { Button } from '../../ui/Button.js'
import { type Column, RowTable } from '../../ui/RowTable.js'
import { Time } from '../../ui/Time.js'
import { LastUse } from './LastUse.js'
import css from './people.module.css'
import { RevokeToken } from './RevokeToken.js'

type Token = Schemas['Token']

interface TokenTableProps {
  readonly label: string
  readonly tokens: readonly Token[]
  /** Whether all are of one account, so that nobody needs to be told whose they are. */
  readonly isOfOne?: boolean
  readonly order?: { readonly by: string; readonly isReversed: boolean }
}

/** Tokens with the way to revoke each. */
export function TokenTable({ label, tokens, isOfOne, order }: TokenTableProps) {
  const [revoking, setRevoking] = useState<Token>()
  const columns = columnsOf(setRevoking, isOfOne ? [] : [OWNER])
  return (
    <>
      <RowTable label={label} columns={columns} rows={tokens} keyOf={({ id }) => id} {...(order && { order })} />
      {revoking && <RevokeToken token={revoking} close={() => setRevoking(undefined)} />}
    </>
  )
}

const OWNER: Column<Token> = {
  title: 'Whose',
  width: 'minmax(9rem, 3fr)',
  order: 'owner',
  cell: ({ userId }) => {
    const isListed = knownOf(users)?.some(({ id }) => id === userId)
    const name = <bdi>{nameOfUser(userId)}</bdi>
    return isListed ? (
      <a class={css.link} href={linkTo(['people', userId])}>
        {name}
      </a>
    ) : (
      name
    )
  }
}

function columnsOf(revoke: (token: Token) => void, whose: readonly Column<Token>[]): readonly Column<Token>[] {
  return [
    {
      title: 'Token',
      width: 'minmax(10rem, 3fr)',
      isPlain: true,
      cell: (token) => <What token={token} />
    },
    ...whose,
    {
      title: 'Last use',
      width: '9.5rem',
      isDescending: true,
      ...(whose.length > 0 && { order: 'used' }),
      cell: ({ lastUsedAt }) => <LastUse at={lastUsedAt} />
    },
    {
      title: 'Made',
      width: '9.5rem',
      isDescending: true,
      ...(whose.length > 0 && { order: 'made' }),
      cell: ({ createdAt }) => <Time at={createdAt} />
    },
    {
      title: '',
      width: '6rem',
      cell: (token) =>
        !isSystem(token.userId) && (
          <div class={css.actions}>
            <Button
              kind="quiet"
              aria-label={`Revoke ${token.name} of ${nameOfUser(token.userId)}`}
              onClick={() => revoke(token)}
            >
              Revoke
            </Button>
          </div>
        )
    }
  ]
}

function What({ token }: { readonly token: Token }) {
  return (
    <span class={css.who}>
      <bdi>{token.name}</bdi>
      <span class={css.mono}>{token.tokenPrefix}…</span>
      {token.id === identity().token.id && <Badge tone="accent">this session</Badge>}
      {token.agentWrites && <Badge tone="note">agents may write</Badge>}
      {token.revokedAt !== null && <Badge>revoked</Badge>}
    </span>
  )
}
