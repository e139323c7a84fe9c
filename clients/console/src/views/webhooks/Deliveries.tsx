import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { hub } from '../../app/session.js'
import { count, counted } from '../../model/numbers.js'
import { Ask, Badge, DialogButton, Dialogs, Fact, Facts, Field, Section, Time } from '../../ui/kit.js'

interface StandingProps {
  readonly id: string
  readonly standing: Schemas['WebhookDeliveries']
  readonly reload: () => Promise<void>
}

/** Where a webhook stands, and what came of its last deliveries, each of which can be made again. */
export function Standing({ id, standing: { position, end, failing, deliveries }, reload }: StandingProps) {
  return (
    <>
      <Facts>
        <Fact name="Delivered up to">
          position {count(position)} of {count(end)}
          {position >= end ? ', which is all' : ''}
        </Fact>
        {failing && (
          <Fact name="Waiting">
            the change at {count(failing.position)}, tried {counted(failing.attempts, 'time')}, first{' '}
            <Time at={failing.since} />; next <Time at={failing.nextAttemptAt} />
          </Fact>
        )}
      </Facts>
      <Dialogs>
        <Section title="Last deliveries">
          {deliveries.length === 0 ? (
            <p class="hint">None yet.</p>
          ) : (
            <ul class="stack">
              {deliveries.map((one) => (
                <li key={`${one.messageId}-${one.attempt}-${one.at}`} class="entry-line ruled stack gap-2">
                  <p class="flex wrap gap-6">
                    <Badge tone={isTaken(one) ? 'good' : 'bad'}>{one.status ?? 'failed'}</Badge>
                    <span>{one.type}</span>
                    <span class="hint">
                      position {count(one.position)}, attempt {one.attempt}, {count(one.durationMs)} ms,{' '}
                      <Time at={one.at} />
                    </span>
                  </p>
                  {!isTaken(one) && <p class="hint">{one.error ?? one.answer}</p>}
                  <p>
                    <DialogButton
                      kind="quiet"
                      dialog={(close) => <ReplayDialog {...{ id, reload, close }} start={one.position - 1} />}
                    >
                      Deliver again from here…
                    </DialogButton>
                  </p>
                </li>
              ))}
            </ul>
          )}
        </Section>
      </Dialogs>
    </>
  )
}

interface ReplayProps {
  readonly id: string
  /** The position that is given at first. */
  readonly start: number
  readonly reload: () => Promise<void>
  readonly close: () => void
}

/** Has everything delivered again that lies behind a position of the log. */
export function ReplayDialog({ id, start, reload, close }: ReplayProps) {
  const [after, setAfter] = useState(String(start))
  const position = Number(after)
  const isPosition = after.trim() !== '' && Number.isSafeInteger(position) && position >= 0
  const replay = async () => {
    await hub().request('POST', '/webhooks/{id}/replay', { path: { id }, body: { after: position } })
    close()
    await reload()
  }
  return (
    <Ask title="Deliver again" verb="Deliver again" disabled={!isPosition} act={replay} close={close}>
      <Field
        label="From behind position"
        inputMode="numeric"
        value={after}
        hint="A position of the log; 0 is the beginning. Repeats have the id that they had."
        change={setAfter}
      />
    </Ask>
  )
}

const isTaken = ({ status }: Schemas['WebhookAttempt']): boolean => status !== null && status >= 200 && status < 300
