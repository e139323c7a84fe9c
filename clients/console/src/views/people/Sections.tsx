import type { Schemas } from '@collections-hub/client'
import { invitations, tokens } from '../../app/accounts.js'
import { hubTime } from '../../app/clock.js'
import { useReload } from '../../app/live.js'
import { useLoadable } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import { hub, manages } from '../../app/session.js'
import { isBookkeeping } from '../../model/auditSentences.js'
import { counted } from '../../model/numbers.js'
import { sortedTokens } from '../../model/people.js'
import { type TokenForm, tokenBodyOf } from '../../model/tokenForm.js'
import { DialogButton, Dialogs, Section, Show, Time } from '../../ui/kit.js'
import { Sentence } from '../audit/EntryRow.js'
import { InvitationTable } from './InvitationTable.js'
import { Invite } from './Invite.js'
import css from './people.module.css'
import { IssueToken } from './TokenFields.js'
import { TokenTable } from './TokenTable.js'

/** The tokens of one account, the last used first. */
export function TokenSection({ user }: { readonly user: Schemas['User'] }) {
  const issue = async (form: TokenForm) => {
    const options = { path: { id: user.id }, body: tokenBodyOf(form, hubTime()) }
    const { secret } = (await hub().request('POST', '/admin/users/{id}/tokens', options)).body
    void tokens.reload()
    return secret
  }
  return (
    <Section
      title="Tokens"
      aside={
        manages(user) && (
          <DialogButton
            kind="quiet"
            icon="plus"
            dialog={(close) => (
              <IssueToken owner={user.name} role={user.exactRole} mayLetAgentsWrite {...{ issue, close }} />
            )}
          >
            Issue a token
          </DialogButton>
        )
      }
    >
      <Dialogs>
        <Show of={tokens}>
          {(all) => {
            const own = all.filter(({ userId }) => userId === user.id)
            if (own.length === 0) return <p class="soft">It has no token, so nobody gets in with it.</p>
            const rows = sortedTokens(own, { by: 'used', isReversed: false }, () => user.name)
            return <TokenTable label={counted(own.length, 'token')} tokens={rows} isOfOne />
          }}
        </Show>
      </Dialogs>
    </Section>
  )
}

/** The invitations to one account, the newest first. */
export function InvitationSection({ user }: { readonly user: Schemas['User'] }) {
  return (
    <Section
      title="Invitations"
      aside={
        manages(user) && (
          <DialogButton kind="quiet" icon="plus" dialog={(close) => <Invite user={user} close={close} />}>
            Invite
          </DialogButton>
        )
      }
    >
      <Dialogs>
        <Show of={invitations}>
          {(all) => {
            const own = all.filter(({ userId }) => userId === user.id)
            if (own.length === 0) return <p class="soft">Nobody was invited to this account.</p>
            return <InvitationTable label={`Invitations of ${user.name}`} invitations={own} isOfOne />
          }}
        </Show>
      </Dialogs>
    </Section>
  )
}

const SHOWN_MOST = 20
/** So many are read for that, book-keeping among them. */
const READ_MOST = 200

/** What was lately done with an account, the newest first. */
export function Lately({ user: { id } }: { readonly user: Pick<Schemas['User'], 'id'> }) {
  const entries = useLoadable(
    async (signal) => {
      const query = { actor: id, limit: READ_MOST }
      const { body } = await hub().request('GET', '/admin/audit', { query, signal })
      return body.entries.filter(({ type }) => !isBookkeeping(type)).slice(0, SHOWN_MOST)
    },
    [id]
  )
  // That the log was read is in the log too: to read it again for that would never end.
  useReload(entries, ({ actorId, type }) => actorId === id && !isBookkeeping(type))
  return (
    <Section title="Lately" aside={<a href={linkTo(['audit'], { actor: id })}>All of it in the audit</a>}>
      <Show of={entries}>
        {(all) =>
          all.length === 0 ? (
            <p class="soft">Nothing was done with this account lately.</p>
          ) : (
            <ul class="stack">
              {all.map((entry) => (
                <li key={entry.position} class={`${css.entry} flex wrap between ruled`}>
                  <Sentence entry={entry} />
                  <span class="hint">
                    <Time at={entry.at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </Section>
  )
}
