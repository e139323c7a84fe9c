import { useEffect, useId, useState } from 'preact/hooks'
import { useReload } from '../../app/live.js'
import { knownOf, type Loadable, useLoadable } from '../../app/loaded.js'
import { go, linkWith } from '../../app/route.js'
import { loadMoments, type Moments } from '../../app/trees.js'
import { addressOf, type Moment, momentAt } from '../../model/moments.js'
import { exactly } from '../../model/time.js'
import { Button, Name, Show, tellFailure } from '../../ui/kit.js'
import css from './past.module.css'

interface MomentSliderProps {
  readonly collectionId: string
  /** A time, or a place in the log. */
  readonly at: string
}

/** Goes through the moments at which a collection became another, from the oldest that is read to now. */
export function MomentSlider({ collectionId, at }: MomentSliderProps) {
  const moments: Loadable<Moments> = useLoadable(
    (signal) => {
      const oldest = knownOf(moments)?.moments.at(-1)?.position
      const reaches = (read: readonly Moment[]) =>
        oldest === undefined ? momentAt(read, at) >= 0 : (read.at(-1)?.position ?? 0) <= oldest
      return loadMoments(collectionId, signal, { reaches })
    },
    [collectionId]
  )
  useReload(moments, (change) => change.collectionId === collectionId || change.id === collectionId)
  const older = async (known: Moments) => {
    const more = await loadMoments(collectionId, new AbortController().signal, { known, reaches: () => true })
    moments.change((now) => (now === known ? more : now))
  }
  return (
    <Show of={moments}>
      {(known) => (
        <div class={`${css.slider} stack gap-4`}>
          <Range moments={known.moments} at={at} />
          {known.next !== null && (
            <Button kind="quiet" onClick={() => older(known).catch(tellFailure)}>
              Go further back
            </Button>
          )}
        </div>
      )}
    </Show>
  )
}

const REST_MS = 200

function Range({ moments, at }: { readonly moments: readonly Moment[]; readonly at: string }) {
  const id = useId()
  const last = moments.length - 1
  const found = momentAt(moments, at)
  // The oldest is on the left.
  const here = found < 0 ? 0 : last - found
  const [place, setPlace] = useState(here)
  useEffect(() => setPlace(here), [here])
  // Whoever drags it over many moments waits for the one that they stop at.
  useEffect(() => {
    if (place === here) return
    const from = location.hash
    const timer = setTimeout(() => {
      // Whoever has followed a link meanwhile is not taken back.
      if (location.hash === from) go(linkWith({ at: addressOf(moments, last - place) }), { replace: true })
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [place, here])
  const moment = moments[last - place]
  if (!moment) return null
  const step = (by: number) => setPlace(Math.min(Math.max(place + by, 0), last))
  return (
    <>
      <p id={id} class={`${css.moment} stack`}>
        <strong class="strong">As it was on {exactly(moment.at)}</strong>
        <span>
          <Name of={moment.who} /> <Name of={moment.what} />
        </span>
      </p>
      <div class={`${css.range} stack gap-6`}>
        <Button icon="open" aria-label="The moment before" disabled={place === 0} onClick={() => step(-1)} />
        <input
          type="range"
          aria-label="Moment"
          aria-describedby={id}
          aria-valuetext={`${exactly(moment.at)}, ${moment.who} ${moment.what}`}
          min={0}
          max={last}
          step={1}
          value={place}
          onInput={({ currentTarget }) => setPlace(currentTarget.valueAsNumber)}
        />
        <Button icon="open" aria-label="The moment after" disabled={place === last} onClick={() => step(1)} />
      </div>
    </>
  )
}
