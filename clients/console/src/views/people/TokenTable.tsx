import type { Schemas } from '@collections-hub/client'
import { isSystem, nameOfUser, tokens, users } from '../../app/accounts.js'
import { now } from '../../app/clock.js'
import { knownOf } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import { hub, identity, isAdmin, manages } from '../../app/session.js'
import { endAt, scopesInWords } from '../../model/tokenForm.js'
import { Ask, Badge, type Column, DialogButton, Icon, Name, Notice, RowTable, Time, toast } from '../../ui/kit.js'
import { UndoDialog } from '../past/UndoDialog.js'
import { LastUse } from './parts.js'
import css from './people.module.css'

type Token = Schemas['Token']

interface TokenTableProps {
  readonly label: string
  readonly tokens: readonly Token[]
  /** Whether all are of one account, so that nobody needs to be told whose they are. */
  readonly isOfOne?: boolean
  readonly order?: { readonly by: string; readonly isReversed: boolean }
}

/** Tokens with the ways to revoke each, and to take back what was done with it. */
export function TokenTable({ label, tokens, isOfOne, order }: TokenTableProps) {
  const columns = columnsOf(isOfOne ? [] : [OWNER])
  return <RowTable label={label} columns={columns} rows={tokens} keyOf={({ id }) => id} {...(order && { order })} />
}

const OWNER: Column<Token> = {
  title: 'Whose',
  width: 'minmax(9rem, 3fr)',
  order: 'owner',
  cell: ({ userId }) => {
    const isListed = knownOf(users)?.some(({ id }) => id === userId)
    const name = <Name of={nameOfUser(userId)} />
    return isListed ? (
      <a class={`${css.link} bold plain`} href={linkTo(['people', userId])}>
        {name}
      </a>
    ) : (
      name
    )
  }
}

/** Whether who is signed in manages the account of a token; administrators manage all but that of the hub itself. */
function isManaged({ userId }: Token): boolean {
  if (isAdmin.value) return !isSystem(userId)
  const owner = knownOf(users)?.find(({ id }) => id === userId)
  return owner !== undefined && manages(owner)
}

function columnsOf(whose: readonly Column<Token>[]): readonly Column<Token>[] {
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
      width: '10.5rem',
      cell: (token) =>
        isManaged(token) && (
          <div class="acts flex wrap">
            {isAdmin.value && (
              <DialogButton
                kind="quiet"
                aria-label={`Undo what ${token.name} of ${nameOfUser(token.userId)} did`}
                dialog={(close) => (
                  <UndoDialog what={`what the token ${token.name} did`} deed={{ token: token.id }} close={close} />
                )}
              >
                Undo…
              </DialogButton>
            )}
            <DialogButton
              kind="quiet"
              aria-label={`Revoke ${token.name} of ${nameOfUser(token.userId)}`}
              dialog={(close) => <RevokeToken token={token} close={close} />}
            >
              Revoke
            </DialogButton>
          </div>
        )
    }
  ]
}

function What({ token }: { readonly token: Token }) {
  return (
    <span class={`${css.who} row wrap fit`}>
      <Name of={token.name} />
      <span class={css.mono}>{token.tokenPrefix}…</span>
      {token.id === identity().token.id && <Badge tone="accent">this session</Badge>}
      {token.agentWrites && <Badge tone="note">agents may write</Badge>}
      {token.scopes && <Badge>{scopesInWords(token.scopes)}</Badge>}
      {token.revokedAt !== null && <Badge>revoked</Badge>}
      {token.revokedAt === null && token.expiresAt !== null && (
        <Ends at={token.expiresAt} isSession={token.isSession === true} />
      )}
    </span>
  )
}

const END_WORDS = { later: 'ends', soon: 'ends soon,', over: 'ended' } as const

/** When a token ends, or that it has; what ends within a week is marked, but for sessions of browsers, which always do. */
export function Ends({ at, isSession }: { readonly at: string; readonly isSession: boolean }) {
  const reached = endAt(at, now.value)
  const end = isSession && reached === 'soon' ? 'later' : reached
  return (
    <Badge tone={end === 'later' ? 'note' : 'bad'}>
      {end === 'soon' && (
        <>
          <Icon name="warning" size={13} />{' '}
        </>
      )}
      {END_WORDS[end]} <Time at={at} />
    </Badge>
  )
}

/** Asks before a token is revoked: whose it is, and when it was last of use to them. */
function RevokeToken({ token, close }: { readonly token: Schemas['Token']; readonly close: () => void }) {
  const { id, name, tokenPrefix, userId, lastUsedAt } = token
  const owner = nameOfUser(userId)
  const revoke = async () => {
    await hub().request('DELETE', '/admin/tokens/{id}', { path: { id } })
    close()
    toast(`The token ${name} of ${owner} is revoked.`)
    tokens.change((all) => all.filter((one) => one.id !== id))
  }
  return (
    <Ask isDanger title={`Revoke a token of ${owner}?`} verb="Revoke the token" act={revoke} close={close}>
      {id === identity().token.id && (
        <Notice tone="note">This is the token that you are signed in with: you will be signed out at once.</Notice>
      )}
      <p>
        <strong>
          <Name of={name} />
        </strong>{' '}
        <span class={css.mono}>{tokenPrefix}…</span> belongs to <Name of={owner} />, and was{' '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <Time at={lastUsedAt} />
          </>
        )}
        .
      </p>
      <p>
        Whatever uses it is refused from the next request on. It cannot be brought back; another one can be issued. What
        was done with it stays.
      </p>
    </Ask>
  )
}
