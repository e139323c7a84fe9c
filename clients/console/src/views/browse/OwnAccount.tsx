import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { users } from '../../app/accounts.js'
import { useAct } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import { ask, changeTo } from '../../app/session.js'
import { Button, ButtonLink, Field, Name, Notice, Placeholder } from '../../ui/kit.js'
import { IssuedNote, useKeeping } from '../people/Issued.js'
import css from './browse.module.css'

const ALL = ['*']
/** A user who may use all that there is. */
const EVERYTHING = {
  role: 'user',
  collectionAccess: ALL,
  environmentAccess: ALL,
  snippetAccess: ALL,
  liveServerAccess: ALL,
  livePageAccess: ALL,
  llmAccess: true,
  llmModels: ALL
} as const

type Made = Schemas['CreatedUser']

/** What an administrator finds on a hub without collections: what the account is for, and the way to one that makes some. */
export function OwnAccount() {
  const [made, setMade] = useState<Made>()
  return made ? <OwnMade made={made} close={() => setMade(undefined)} /> : <OwnToMake tell={setMade} />
}

function OwnToMake({ tell }: { readonly tell: (made: Made) => void }) {
  const [name, setName] = useState('')
  const [fault, setFault] = useState<string>()
  const { isBusy, failure, run } = useAct()
  const make = async () => {
    const body = { ...EVERYTHING, name: name.trim() }
    tell(await ask('POST', '/admin/users', { body }))
    void users.reload()
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (name.trim() === '') setFault('Give the account a name first.')
    else void run(make)
  }
  return (
    <Placeholder icon="people" title="Administrators manage the hub">
      <p>
        There are no collections yet. You make accounts and see what happens; users make collections. To work with them,
        make an account for yourself: a user who may see and change everything.
      </p>
      <form class={`${css.form} stack gap-8`} onSubmit={submit} noValidate>
        <Field
          label="Name of your account"
          value={name}
          fault={fault}
          hint="Not the name that you are signed in with: each is given once."
          change={(text) => {
            setName(text)
            setFault(undefined)
          }}
        />
        {failure && <Notice tone="bad">{failure.message}</Notice>}
        <div class="flex wrap gap-4">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Make an account for yourself
          </Button>
          <ButtonLink href={linkTo(['people', 'new'])}>Make one for somebody else</ButtonLink>
        </div>
      </form>
    </Placeholder>
  )
}

function OwnMade({ made: { user, secret }, close }: { readonly made: Made; readonly close: () => void }) {
  const keeping = useKeeping()
  return (
    <div class={`${css.made} stack gap-8`}>
      <h2 class="large">
        Token of <Name of={user.name} />
      </h2>
      <IssuedNote issued={{ secret }} keeping={keeping} isOwn />
      <div class="flex wrap gap-4">
        <Button kind="primary" onClick={() => keeping.leave(() => changeTo(secret))}>
          Sign in as {user.name}
        </Button>
        <Button onClick={() => keeping.leave(close)}>Stay an administrator</Button>
      </div>
    </div>
  )
}
