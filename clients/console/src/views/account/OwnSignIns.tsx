import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { isOwn, useReload } from '../../app/live.js'
import { useAct, useLoadable } from '../../app/loaded.js'
import { bindProvider, type Offered } from '../../app/providers.js'
import { ask, hub } from '../../app/session.js'
import { Ask, Button, DialogButton, Notice, Section, Show, Time, toast } from '../../ui/kit.js'
import { useProviders } from '../Entrance.js'

/** What somebody signs in with beside tokens: what is bound to the account, and what can be. Nothing where the hub has none. */
export function OwnSignIns() {
  const offered = useProviders()
  return offered.length === 0 ? null : <Bound offered={offered} />
}

function Bound({ offered }: { readonly offered: readonly Offered[] }) {
  const signIns = useLoadable(async (signal) => (await ask('GET', '/auth/sign-ins', { signal })).signIns, [])
  useReload(signIns, isOwn)
  const [left, setLeft] = useState<Schemas['BoundSignIn'] | null>(null)
  const { failure, run } = useAct()
  const nameOf = (provider: string) => offered.find(({ id }) => id === provider)?.name ?? provider
  const letGo = async ({ id, provider }: Schemas['BoundSignIn']) => {
    await hub().request('DELETE', '/auth/sign-ins/{id}', { path: { id } })
    setLeft(null)
    toast(`${nameOf(provider)} signs you in no more.`)
    await signIns.reload()
  }
  return (
    <Section title="Sign-in" aside="In place of a token, in a browser.">
      <Show of={signIns}>
        {(list) => (
          <>
            <ul class="stack">
              {list.map((one) => (
                <li key={one.id} class="entry-line row wrap ruled gap-6">
                  <span class="fit grow">
                    <span class="bold">{nameOf(one.provider)}</span> as <bdi>{one.name}</bdi>
                    <span class="block hint">
                      Added <Time at={one.boundAt} />
                    </span>
                  </span>
                  <Button aria-label={`Let go of ${nameOf(one.provider)}`} onClick={() => setLeft(one)}>
                    Let go…
                  </Button>
                </li>
              ))}
            </ul>
            <p class="flex wrap gap-4">
              {list.length > 0 && <SignOutEverywhere />}
              {offered
                .filter(({ id }) => !list.some(({ provider }) => provider === id))
                .map((one) => (
                  <Button key={one.id} onClick={() => void run(() => bindProvider(one))}>
                    Sign in with {one.name}, too
                  </Button>
                ))}
            </p>
            {failure && <Notice tone="bad">{failure.message}</Notice>}
          </>
        )}
      </Show>
      {left && (
        <Ask
          isDanger
          title={`Let go of ${nameOf(left.provider)}?`}
          verb="Let go"
          act={() => letGo(left)}
          close={() => setLeft(null)}
        >
          <p>Sessions that it has given end at once. You get in with a token until you bind it again.</p>
        </Ask>
      )}
    </Section>
  )
}

function SignOutEverywhere() {
  const dialog = (close: () => void) => {
    const act = async () => {
      await hub().request('POST', '/auth/sign-out/everywhere')
      close()
      toast('All sessions have ended.')
    }
    return (
      <Ask isDanger title="Sign out everywhere?" verb="Sign out everywhere" act={act} close={close}>
        <p>Every browser that has signed in as you is signed out at once, this one too where it has. Tokens stay.</p>
      </Ask>
    )
  }
  return <DialogButton dialog={dialog}>Sign out everywhere…</DialogButton>
}
