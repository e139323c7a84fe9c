import type { Schemas } from '@collections-hub/client'
import { useChanges } from '../../app/live.js'
import { useLoadable } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import { hub } from '../../app/session.js'
import { isBookkeeping } from '../../model/auditSentences.js'
import { Section } from '../../ui/Section.js'
import { Show } from '../../ui/Show.js'
import { Time } from '../../ui/Time.js'
import { Sentence } from '../audit/Sentence.js'
import css from './people.module.css'

const SHOWN_MOST = 20

/** What was lately done with an account, the newest first. */
export function Lately({ user: { id } }: { readonly user: Pick<Schemas['User'], 'id'> }) {
  const entries = useLoadable(
    async (signal) => {
      const query = { actor: id, limit: SHOWN_MOST }
      const { body } = await hub().request('GET', '/admin/audit', { query, signal })
      return body.entries.filter(({ type }) => !isBookkeeping(type))
    },
    [id]
  )
  // That the log was read is in the log too: to read it again for that would never end.
  const refresh = ({ actorId, type }: { readonly actorId: string; readonly type: string }) => {
    if (actorId === id && !isBookkeeping(type)) void entries.reload()
  }
  useChanges(refresh, [entries, id])
  return (
    <Section title="Lately" aside={<a href={linkTo(['audit'], { actor: id })}>All of it in the audit</a>}>
      <Show of={entries}>
        {(all) =>
          all.length === 0 ? (
            <p class={css.soft}>Nothing was done with this account yet.</p>
          ) : (
            <ul class={css.list}>
              {all.map((entry) => (
                <li key={entry.position} class={css.entry}>
                  <Sentence entry={entry} />
                  <span class={css.small}>
                    <Time at={entry.at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </Section>
  )
}
