import type { Schemas } from '@collections-hub/client'
import { now } from '../../app/clock.js'
import { isOwn, useReload } from '../../app/live.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { loadOwnTokens } from '../../app/ownTokens.js'
import { linkTo } from '../../app/route.js'
import { identity } from '../../app/session.js'
import { counted } from '../../model/numbers.js'
import { endsSoon } from '../../model/tokenForm.js'
import { Name, Notice } from '../../ui/kit.js'

/** Says on any page that tokens of who is signed in end within a week; nothing where that is not to be known. */
export function EndingTokens() {
  // A token that is limited lists none.
  return identity().token.scopes ? null : <OfAccount />
}

function OfAccount() {
  const tokens = useLoadable(loadOwnTokens, [])
  useReload(tokens, (change) => isOwn(change) || change.kind === 'token')
  return <EndingAmong tokens={knownOf(tokens) ?? []} />
}

/** Says which of these tokens end within a week, and what to do; nothing where none does. */
export function EndingAmong({ tokens }: { readonly tokens: readonly Schemas['Token'][] }) {
  const soon = tokens.filter((token) => endsSoon(token, now.value))
  const [first] = soon
  if (!first) return null
  return (
    <Notice tone="note">
      {soon.length === 1 ? (
        <>
          A token ends within a week, “<Name of={first.name} />
          ”, and what uses it
        </>
      ) : (
        `${counted(soon.length, 'token')} end within a week, and what uses them`
      )}{' '}
      is refused from then on. Issue another before, on <a href={linkTo(['account'])}>the page of your account</a>, and
      use that.
    </Notice>
  )
}
