import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { useAct, useLoadable } from '../../app/loaded.js'
import { go, linkTo } from '../../app/route.js'
import { ask, identity } from '../../app/session.js'
import { SCOPES } from '../../model/tokenForm.js'
import { Button, Fact, Facts, Field, Name, Notice, Page, Show } from '../../ui/kit.js'

/** Where somebody lets a program have a token of theirs: with the code that it shows, or that its browser was led with. */
export function ApprovePage({ code }: { readonly code: string | undefined }) {
  return code === undefined ? <TypeCode /> : <Answer code={code} />
}

function TypeCode() {
  const [code, setCode] = useState('')
  const open = (event: Event) => {
    event.preventDefault()
    const letters = code.replace(/[^A-Za-z]/g, '')
    if (letters !== '') go(linkTo(['approve', letters]))
  }
  return (
    <Page title="Let a program in" lead="Type the code that it shows.">
      <form class="stack" onSubmit={open}>
        <Field
          label="Code"
          hint="Eight letters. Capitals and hyphens do not matter."
          value={code}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          change={setCode}
        />
        <p>
          <Button kind="primary" type="submit">
            Go on
          </Button>
        </p>
      </form>
    </Page>
  )
}

function Answer({ code }: { readonly code: string }) {
  const path = { code }
  const question = useLoadable((signal) => ask('GET', '/auth/questions/{code}', { path, signal }), [code])
  const [answered, setAnswered] = useState<'approved' | 'refused' | null>(null)
  return (
    <Page title="Let a program in?">
      {answered ? (
        <Notice tone={answered === 'approved' ? 'good' : 'note'}>
          {answered === 'approved'
            ? 'It is let in: go back to it. Its token is listed with yours, where you can revoke it.'
            : 'It is not let in, and told so.'}
        </Notice>
      ) : (
        <Show of={question}>{(asked) => <Asked code={code} asked={asked} answered={setAnswered} />}</Show>
      )}
    </Page>
  )
}

interface AskedProps {
  readonly code: string
  /** What a program asks somebody for. */
  readonly asked: Schemas['Question']
  readonly answered: (how: 'approved' | 'refused') => void
}

function Asked({ code, asked: { program, scopes, agentsMayWrite, leadsTo }, answered }: AskedProps) {
  const { failure, run } = useAct()
  const agentsOnlyRead = scopes.includes('agent') && scopes.includes('write') && !agentsMayWrite
  const answer = (approve: boolean) =>
    run(async () => {
      const options = { path: { code }, body: { approve } }
      const { location } = await ask('POST', '/auth/questions/{code}', options)
      // Where the program waits for the browser it goes on, else it stays.
      if (location === null) answered(approve ? 'approved' : 'refused')
      else window.location.assign(location)
    })
  return (
    <>
      <p>
        It calls itself <Name class="bold" of={program} />, for which nobody vouches. Let it in only if you have just
        begun this yourself.
      </p>
      <Facts>
        <Fact name="It may">
          <ul>
            {SCOPES.filter(([scope]) => scopes.includes(scope)).map(([scope, label, about]) => (
              <li key={scope}>
                {label}: {about}
              </li>
            ))}
          </ul>
          {agentsOnlyRead && (
            <p>Agents only read with it: with the token of yours that lets it in they may not write.</p>
          )}
        </Fact>
        <Fact name="As">{identity().user.name}</Fact>
        {leadsTo !== null && <Fact name="You are led to">{leadsTo}</Fact>}
      </Facts>
      <p class="flex wrap gap-4">
        <Button kind="primary" onClick={() => void answer(true)}>
          Let it in
        </Button>
        <Button onClick={() => void answer(false)}>Refuse</Button>
      </p>
      {failure && <Notice tone="bad">{failure.message}</Notice>}
    </>
  )
}
