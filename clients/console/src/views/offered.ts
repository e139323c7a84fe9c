import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { IconName } from '../ui/kit.js'

/** Something that can be done with the record that is open. */
export interface Offer {
  readonly label: string
  readonly icon: IconName
  readonly act: () => unknown
  readonly isDanger?: boolean
}

/** By the view that offers them, each with the name of the record. */
const all = signal<ReadonlyMap<object, { readonly of: string; readonly offers: readonly Offer[] }>>(new Map())

/** Everything that can be done with what is open, with the name of the record: as long as the views are there that offer it. */
export const offered = (): readonly (Offer & { readonly of: string })[] =>
  [...all.value.values()].flatMap(({ of, offers }) => offers.map((offer) => ({ ...offer, of })))

/** Has the palette offer what a view offers, while that is shown. */
export function useOffers(of: string, offers: readonly Offer[]): void {
  const place = useRef({})
  useEffect(() => {
    all.value = new Map(all.peek()).set(place.current, { of, offers })
  })
  useEffect(
    () => () => {
      const others = new Map(all.peek())
      others.delete(place.current)
      all.value = others
    },
    []
  )
}
