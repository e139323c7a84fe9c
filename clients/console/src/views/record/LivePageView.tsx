import type { Schemas } from '@collections-hub/client'
import { authIn, type LivePair, pairsIn } from '../../model/live.js'
import { isReference, isSecretName } from '../../model/secrets.js'
import { Fact, Facts } from '../../ui/Facts.js'
import { Pairs } from '../../ui/Pairs.js'
import { Section } from '../../ui/Section.js'
import css from './RequestView.module.css'
import { ScriptSections } from './ScriptSections.js'

/** A live page: its address first, then whatever is filled in. */
export function LivePageView({ page }: { readonly page: Schemas['LivePage'] }) {
  const { url, homeUrl, userAgent, auth, scripts, preRequestScripts, postRequestScripts } = page
  const [headers, variables, signIn] = [pairsIn(page.headers), pairsIn(page.variables), authIn(auth)]
  const isHome = homeUrl === '' || homeUrl === url
  return (
    <>
      <p class={css.line}>
        <bdi class={css.url}>{url === '' ? 'No URL yet' : url}</bdi>
      </p>
      {!(isHome && userAgent === '') && (
        <Facts>
          {!isHome && (
            <Fact name="Home page">
              <bdi>{homeUrl}</bdi>
            </Fact>
          )}
          {userAgent !== '' && (
            <Fact name="User agent">
              <bdi>{userAgent}</bdi>
            </Fact>
          )}
        </Facts>
      )}
      <List title="Headers" pairs={headers} />
      {signIn && <List title="Authorization" aside={signIn.type} pairs={signIn.pairs} />}
      <List title="Variables" pairs={variables} />
      <ScriptSections scripts={scripts} title="Script" />
      <ScriptSections scripts={preRequestScripts} title="Before requests" />
      <ScriptSections scripts={postRequestScripts} title="After responses" />
    </>
  )
}

interface ListProps {
  readonly title: string
  readonly aside?: string
  readonly pairs: readonly LivePair[]
}

function List({ title, aside, pairs }: ListProps) {
  if (pairs.length === 0 && aside === undefined) return null
  const isSecret = (name: string) =>
    isSecretName(name) && pairs.some(({ key, value }) => key === name && !isReference(value))
  return (
    <Section title={title} aside={aside}>
      <Pairs label={title} pairs={pairs} isSecret={isSecret} />
    </Section>
  )
}
