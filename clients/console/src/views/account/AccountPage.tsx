import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { hubTime } from '../../app/clock.js'
import { ownFace } from '../../app/faces.js'
import { unlessRefused } from '../../app/hub.js'
import { isOwn, useReload } from '../../app/live.js'
import { knownOf, useAct, useLoadable } from '../../app/loaded.js'
import { isTold } from '../../app/notices.js'
import { loadOwnTokens, mayOpenInDesktop, openInDesktop } from '../../app/ownTokens.js'
import { linkTo } from '../../app/route.js'
import { ask, hub, hubName, identity, seesRecords } from '../../app/session.js'
import { chooseTheme, THEMES, theme } from '../../app/theme.js'
import { ROLE_NAMES, WITHOUT_RECORDS } from '../../model/access.js'
import { count } from '../../model/numbers.js'
import { wordsFor } from '../../model/records.js'
import { scopesInWords, type TokenForm, tokenBodyOf } from '../../model/tokenForm.js'
import {
  Ask,
  Avatar,
  Badge,
  Button,
  DialogButton,
  Fact,
  Facts,
  Name,
  Notice,
  Page,
  Section,
  Select,
  Show,
  Time,
  toast
} from '../../ui/kit.js'
import { IssueToken } from '../people/TokenFields.js'
import { Ends } from '../people/TokenTable.js'
import { AgentSetup } from './AgentSetup.js'
import { EndingAmong } from './EndingTokens.js'
import { OwnBudgets } from './OwnBudgets.js'
import { OwnSignIns } from './OwnSignIns.js'

/** What somebody can know of their own account, and do with it. */
export function AccountPage() {
  const { user, capabilities, mayCreate } = identity()
  return (
    <Page
      title={user.name}
      mark={<Avatar face={ownFace()} size="large" />}
      lead={`${ROLE_NAMES[user.exactRole]} of ${hubName.value}`}
    >
      <Facts>
        {seesRecords.value && (
          <Fact name="May make new">
            {mayCreate.length === 0 ? 'nothing that stands by itself' : mayCreate.map(wordsFor).join(', ')}
          </Fact>
        )}
        {!seesRecords.value && <Fact name="What it does">{WITHOUT_RECORDS[user.exactRole]}</Fact>}
        {seesRecords.value && <Fact name="Models">{capabilities.llm ? <Used /> : 'not for this account'}</Fact>}
        {isTold() && (
          <Fact name="Notices">
            <a href={linkTo(['notices'])}>which ones, and what came</a>
          </Fact>
        )}
        {seesRecords.value && (
          <Fact name="Webhooks">
            <a href={linkTo(['webhooks'])}>programs that are told of changes</a>
          </Fact>
        )}
      </Facts>
      {seesRecords.value && capabilities.llm && <OwnBudgets />}
      <OwnTokens />
      {!identity().token.scopes && <OwnSignIns />}
      {seesRecords.value && <AgentSetup />}
      <Section title="This browser">
        <Select label="Theme" value={theme.value} options={THEMES} change={chooseTheme} />
      </Section>
    </Page>
  )
}

function Used() {
  const load = (signal: AbortSignal) =>
    unlessRefused(['llm-not-configured'], null, () => ask('GET', '/llm/usage', { signal }))
  const usage = useLoadable(load, [])
  return (
    <Show of={usage} skeleton={<span />}>
      {(used) =>
        used === null
          ? 'this hub offers none'
          : `${count(used.totalTokens)} tokens this month${used.limit === null ? '' : ` of ${count(used.limit)}`}`
      }
    </Show>
  )
}

/** The tokens that are in force, each with what ends it. */
function OwnTokens() {
  const tokens = useLoadable(loadOwnTokens, [])
  useReload(tokens, (change) => isOwn(change) || change.kind === 'token')
  const [ended, setEnded] = useState<Schemas['Token'] | null>(null)
  const { isBusy, failure, run } = useAct()
  const here = identity().token.id
  const issue = async (form: TokenForm) => {
    const { secret } = await ask('POST', '/auth/tokens', { body: tokenBodyOf(form, hubTime()) })
    void tokens.reload()
    return secret
  }
  const end = async ({ id, name }: Schemas['Token']) => {
    await hub().request('DELETE', '/auth/tokens/{id}', { path: { id } })
    setEnded(null)
    toast(`“${name}” is revoked.`)
    if (id !== here) await tokens.reload()
  }
  return (
    <Section title="Tokens" aside="Where you are signed in, and programs that work for you.">
      <Show of={tokens}>
        {(list) => (
          <>
            <EndingAmong tokens={list} />
            <ul class="stack">
              {list.map((token) => (
                <li key={token.id} class="entry-line row wrap ruled gap-6">
                  <span class="fit grow">
                    <Name class="bold" of={token.name} /> <code>{token.tokenPrefix}…</code>{' '}
                    {token.id === here && <Badge tone="accent">this one</Badge>}{' '}
                    {token.agentWrites && <Badge>agents may write</Badge>}{' '}
                    {token.scopes && <Badge>{scopesInWords(token.scopes)}</Badge>}{' '}
                    {token.expiresAt !== null && <Ends at={token.expiresAt} isSession={token.isSession === true} />}
                    <span class="block hint">
                      Made <Time at={token.createdAt} />,{' '}
                      {token.lastUsedAt === null ? (
                        'never used'
                      ) : (
                        <>
                          used <Time at={token.lastUsedAt} />
                        </>
                      )}
                    </span>
                  </span>
                  <Button aria-label={`Revoke ${token.name}`} onClick={() => setEnded(token)}>
                    Revoke…
                  </Button>
                </li>
              ))}
            </ul>
          </>
        )}
      </Show>
      {identity().token.scopes ? (
        <p class="hint">The token that you are signed in with is limited, and issues no others.</p>
      ) : (
        <p class="flex wrap gap-4">
          <DialogButton
            dialog={(close) => (
              <IssueToken
                role={identity().user.exactRole}
                // Where agents may not write with this token, they may with none that it issues.
                mayLetAgentsWrite={knownOf(tokens)?.find(({ id }) => id === here)?.agentWrites ?? false}
                {...{ issue, close }}
              />
            )}
          >
            Issue a token…
          </DialogButton>
          {mayOpenInDesktop() && (
            <Button isBusy={isBusy} onClick={() => void run(openInDesktop)}>
              Open in the desktop…
            </Button>
          )}
        </p>
      )}
      {failure && <Notice tone="bad">{failure.message}</Notice>}
      {ended && (
        <Ask
          isDanger
          title={`Revoke “${ended.name}”?`}
          verb="Revoke"
          act={() => end(ended)}
          close={() => setEnded(null)}
        >
          <p>
            {ended.id === here
              ? 'It is the one that you are signed in with: you are signed out at once, everywhere that it is used.'
              : 'Whatever uses it is refused from now on. That cannot be taken back.'}
          </p>
        </Ask>
      )}
    </Section>
  )
}
