import { now } from '../app/clock.js'
import { ago, exactly } from '../model/time.js'

/** A time in words, with the exact one when pointed at. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactly(at)}>
      {ago(at, now.value)}
    </time>
  )
}
