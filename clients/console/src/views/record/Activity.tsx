import { useState } from 'preact/hooks'
import { useReload } from '../../app/live.js'
import { useMoment } from '../../app/loaded.js'
import { outlineOfCollection } from '../../app/members.js'
import { linkTo } from '../../app/route.js'
import { loadMoments } from '../../app/trees.js'
import { addressOf } from '../../model/moments.js'
import { Button, Name, Section, Show, Time } from '../../ui/kit.js'
import css from './record.module.css'

/** So many stand there before somebody asks for more. */
const FEW = 5
const MORE = 50
/** A page of the hub takes a while to look through: so many at most. */
const MOST = 500

/**
 * What happened in a collection, one line a command, each a way to how it was then. It is asked for once what the collection holds
 * is there: of a large one both take the hub a while, and people wait for that.
 */
export function Activity({ collectionId }: { readonly collectionId: string }) {
  const isWaiting = outlineOfCollection(collectionId).state.value.is === 'loading'
  return isWaiting ? null : <Happenings collectionId={collectionId} />
}

function Happenings({ collectionId }: { readonly collectionId: string }) {
  const [wanted, setWanted] = useState(FEW)
  const activity = useMoment(
    (wanted, signal) => loadMoments(collectionId, signal, { reaches: ({ length }) => length > wanted }),
    collectionId,
    wanted
  )
  useReload(activity, (change) => change.collectionId === collectionId || change.id === collectionId)
  return (
    <Section title="Activity">
      <Show of={activity}>
        {({ moments, next }) => (
          <>
            <ul class="stack">
              {moments.slice(0, wanted).map(({ position, at, who, what }, index) => (
                <li key={position} class={`${css.happening} flex wrap gap-4`}>
                  <span>
                    <Name class="bold" of={who} /> <Name of={what} />
                  </span>
                  <a
                    class="hint"
                    href={linkTo(['collections', collectionId], { at: addressOf(moments, index) })}
                    title="As it was then"
                  >
                    <Time at={at} />
                  </a>
                </li>
              ))}
            </ul>
            {(moments.length > wanted || next !== null) && wanted < MOST && (
              <div>
                <Button kind="quiet" onClick={() => setWanted(wanted === FEW ? MORE : wanted + MORE)}>
                  Older
                </Button>
              </div>
            )}
          </>
        )}
      </Show>
    </Section>
  )
}
