import { HubRequestError } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { catalog, nameIn } from '../../app/catalog.js'
import { knownOf, useAct } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import { seesRecords } from '../../app/session.js'
import { GRANT_ROLES, type Grant, type GrantRole, grantsWith } from '../../model/grants.js'
import { ALONE, type AloneKind, pathOf, wordFor } from '../../model/records.js'
import { Badge, Button, Field, Icon, KIND_ICONS, Name, Notice, Section, Select } from '../../ui/kit.js'
import { RoleSelect } from '../record/RoleSelect.js'
import css from './people.module.css'

interface GrantsProps {
  /** Whose they are: `this group`. */
  readonly whose: string
  readonly grants: readonly Grant[]
  /** Puts all of them in place of those before, while nothing else has changed. */
  readonly put: (grants: readonly Grant[], match: { readonly ifMatch?: string }) => Promise<unknown>
  /** Of what they were read with. */
  readonly etag: string | null
  readonly reload: () => Promise<unknown>
  /** Whether who is signed in may change them. */
  readonly isFixed?: boolean
}

/** The roles that a group or an account has on single records, each to be changed, taken back, or given. */
export function GrantsSection({ whose, grants, etag, put, reload, isFixed = false }: GrantsProps) {
  const [isOvertaken, setOvertaken] = useState(false)
  const { isBusy, failure, run } = useAct()
  /** Puts these in place of what there is; says whether that is done. */
  const change = async (all: readonly Grant[]): Promise<boolean> => {
    let isTaken = true
    setOvertaken(false)
    const isDone = await run(async () => {
      try {
        await put(all, etag === null ? {} : { ifMatch: etag })
      } catch (error) {
        if (!(error instanceof HubRequestError) || error.status !== 412) throw error
        isTaken = false
        setOvertaken(true)
      }
      await reload()
    })
    return isDone && isTaken
  }
  return (
    <Section title="Roles on single records" aside="Beside what the lists open.">
      <ul class="stack">
        {grants.map((grant) => (
          <Row key={`${grant.kind} ${grant.id}`} {...{ grant, isBusy, isFixed }}>
            {(role) => void change(grantsWith(grants, grant, role))}
          </Row>
        ))}
      </ul>
      {grants.length === 0 && <p class="soft">None.</p>}
      {!isFixed && <Give {...{ grants, isBusy }} give={change} />}
      {isOvertaken && (
        <Notice tone="bad">
          Somebody else has changed {whose} meanwhile, so your change was not made. This is what there is now: look at
          it, and make your change again if it is still wanted.
        </Notice>
      )}
      {failure && <Notice tone="bad">{failure.message}</Notice>}
    </Section>
  )
}

/** What a record is called: undefined where it is not known, null where it is gone. */
const nameOf = ({ kind, id }: Grant): string | null | undefined =>
  nameIn(kind, id) ?? (knownOf(catalog[kind]) ? null : undefined)

interface RowProps {
  readonly grant: Grant
  readonly isBusy: boolean
  readonly isFixed: boolean
  readonly children: (role: GrantRole | null) => void
}

function Row({ grant, isBusy, isFixed, children: become }: RowProps) {
  const { kind, id, role } = grant
  const name = nameOf(grant)
  const called = `${wordFor(kind)} ${name ?? id}`
  return (
    <li class="row entry-line wrap ruled gap-6">
      <span class={`${css.who} row wrap fit`}>
        <Icon name={KIND_ICONS[kind]} />
        {typeof name === 'string' ? (
          <a class={css.link} href={linkTo(pathOf({ kind, id }))}>
            <Name of={name} />
          </a>
        ) : (
          <code>{id}</code>
        )}
        {name === null && <Badge tone="note">gone</Badge>}
      </span>
      {isFixed || name === null ? (
        <span class="soft">{role}</span>
      ) : (
        <RoleSelect label={`Role on the ${called}`} {...{ role, isBusy, become }} />
      )}
      {!isFixed && (
        <Button aria-label={`Take it back: the role on the ${called}`} disabled={isBusy} onClick={() => become(null)}>
          Take it back
        </Button>
      )}
    </li>
  )
}

interface GiveProps {
  readonly grants: readonly Grant[]
  readonly isBusy: boolean
  readonly give: (grants: readonly Grant[]) => Promise<boolean>
}

/** Choosing one more record, and a role on it. Who sees no records names it by its id. */
function Give({ grants, isBusy, give }: GiveProps) {
  const [kind, setKind] = useState<AloneKind>('collection')
  const [id, setId] = useState('')
  const [role, setRole] = useState<GrantRole>('viewer')
  const known = knownOf(catalog[kind]) ?? []
  // What is chosen stays while it is being given.
  const isOpen = (one: string) => one === id || !grants.some((grant) => grant.kind === kind && grant.id === one)
  const others = known.filter((one) => isOpen(one.id))
  const submit = async (event: Event) => {
    event.preventDefault()
    const record = { kind, id: id.trim() }
    if (record.id !== '' && (await give(grantsWith(grants, record, role)))) setId('')
  }
  return (
    <form class="row filling wrap gap-4" aria-label="Give a role" onSubmit={(event) => void submit(event)}>
      <Select
        label="Kind"
        value={kind}
        options={ALONE.map((one) => ({ value: one, label: wordFor(one) }))}
        change={(one) => {
          setKind(one)
          setId('')
        }}
      />
      {seesRecords.value ? (
        <Select
          label="Record"
          value={id}
          options={[
            { value: '', label: others.length === 0 ? 'There is no other' : 'Choose…' },
            ...others.map((one) => ({ value: one.id, label: one.name }))
          ]}
          change={setId}
        />
      ) : (
        <Field label="Id of the record" value={id} autoComplete="off" change={setId} />
      )}
      <Select label="Role" value={role} options={GRANT_ROLES} change={setRole} />
      <Button type="submit" isBusy={isBusy} disabled={id.trim() === ''}>
        Give it
      </Button>
    </form>
  )
}
