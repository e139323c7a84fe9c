import type { Schemas } from '@collections-hub/client'
import { useRef, useState } from 'preact/hooks'
import { users } from '../../app/accounts.js'
import { linkTo } from '../../app/route.js'
import { changeTo, hub } from '../../app/session.js'
import { useAct } from '../../app/useAct.js'
import { Button, ButtonLink } from '../../ui/Button.js'
import { Field } from '../../ui/Field.js'
import { Notice, Placeholder } from '../../ui/Notice.js'
import { IssuedTokenNote } from '../people/Issued.js'
import { useKeeping } from '../people/useKeeping.js'
import css from './OwnAccount.module.css'

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
    tell((await hub().request('POST', '/admin/users', { body })).body)
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
      <form class={css.form} onSubmit={submit} noValidate>
        <Field
          label="Name of your account"
          value={name}
          fault={fault}
          hint="Not the name that you are signed in with: each is given once."
          onInput={({ currentTarget }) => {
            setName(currentTarget.value)
            setFault(undefined)
          }}
        />
        {failure && <Notice tone="bad">{failure.message}</Notice>}
        <div class={css.buttons}>
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
  const way = useRef(close)
  const keeping = useKeeping(true, () => way.current())
  const leave = (to: () => void) => {
    way.current = to
    keeping.leave()
  }
  return (
    <div class={css.made}>
      <h2>
        Token of <bdi>{user.name}</bdi>
      </h2>
      <IssuedTokenNote secret={secret} keeping={keeping} isOwn />
      <div class={css.buttons}>
        <Button kind="primary" onClick={() => leave(() => changeTo(secret))}>
          Sign in as {user.name}
        </Button>
        <Button onClick={() => leave(close)}>Stay an administrator</Button>
      </div>
    </div>
  )
}
