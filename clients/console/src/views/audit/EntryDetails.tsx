import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Failure, failureOf } from '../../app/hub.js'
import { linkTo } from '../../app/route.js'
import { hub } from '../../app/session.js'
import { isCut } from '../../model/auditChanges.js'
import type { AuditEntry } from '../../model/auditEntry.js'
import { operatorText, whoOf } from '../../model/auditSentences.js'
import { kindWord, typeLabel } from '../../model/logKinds.js'
import { count } from '../../model/numbers.js'
import { exactly } from '../../model/time.js'
import { Button } from '../../ui/Button.js'
import { Notice } from '../../ui/Notice.js'
import { Difference } from './Difference.js'
import css from './EntryDetails.module.css'

/** All that is known of an entry: what changed, and the ways to what belongs to it. */
export function EntryDetails({ entry: listed }: { readonly entry: AuditEntry }) {
  const [whole, setWhole] = useState<AuditEntry>()
  const entry = whole ?? listed
  const { changes, more, erased } = entry
  return (
    <>
      {erased && <Notice tone="note">What this entry said was erased from the log. That it happened stays.</Notice>}
      <Difference entry={entry} />
      {!whole && isCut(changes, more) && <AskForAll position={entry.position} take={setWhole} />}
      <Facts entry={entry} />
    </>
  )
}

/** What the list has cut short comes whole when somebody wants it; asking for it is an entry of the log. */
function AskForAll({ position, take }: { readonly position: number; readonly take: (entry: AuditEntry) => void }) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const ask = async () => {
    setBusy(true)
    try {
      const { body } = await hub().request('GET', '/admin/audit/{position}', { path: { position } })
      take(body)
    } catch (error) {
      setFailure(failureOf(error))
      setBusy(false)
    }
  }
  return (
    <div class={css.more}>
      {failure && <Notice tone="bad">{failure.message}</Notice>}
      <Button isBusy={isBusy} onClick={ask}>
        Show all of it
      </Button>
    </div>
  )
}

/** Who, when, with what and from where; each leads to everything else of it. */
function Facts({ entry }: { readonly entry: AuditEntry }) {
  const { position, at, type, actor, token, resource, address, operator, requestId, causation } = entry
  return (
    <dl class={css.facts}>
      <Fact name="When">{exactly(at)}</Fact>
      <Fact name="What">
        {typeLabel(type)} <Everything query={{ type }}>All of this type</Everything>
      </Fact>
      <Fact name="About">
        {kindWord(resource.kind)} <code>{resource.id}</code>{' '}
        <Everything query={{ id: resource.id }}>Everything about it</Everything>
      </Fact>
      <Fact name="By">
        <bdi>{whoOf(entry)}</bdi> <Everything query={{ actor: actor.id }}>Everything by them</Everything>
      </Fact>
      {token && (
        <Fact name="Token">
          <bdi>{token.name ?? 'A token that is gone'}</bdi>{' '}
          <Everything query={{ token: token.id }}>Everything by this token</Everything>
        </Fact>
      )}
      {address && (
        <Fact name="From">
          <bdi>{address}</bdi> <Everything query={{ address }}>Everything from this address</Everything>
        </Fact>
      )}
      {operator && (
        <Fact name="On the host">
          <bdi>{operatorText(operator)}</bdi>
        </Fact>
      )}
      {requestId && (
        <Fact name="Request">
          <code>{requestId}</code> <Everything query={{ request: requestId }}>All of this request</Everything>
        </Fact>
      )}
      {causation !== null && (
        <Fact name="Because of">
          entry {count(causation)} <Everything query={only(causation)}>Show it</Everything>
        </Fact>
      )}
      <Fact name="Entry">
        {count(position)} <Everything query={only(position)}>Link to this entry</Everything>
      </Fact>
    </dl>
  )
}

const only = (position: number) => ({ from: String(position), to: String(position), open: String(position) })

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class={css.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A search for this alone. */
function Everything({
  query,
  children
}: {
  readonly query: Readonly<Record<string, string>>
  readonly children: ComponentChildren
}) {
  return (
    <a class={css.link} href={linkTo(['audit'], query)}>
      {children}
    </a>
  )
}
