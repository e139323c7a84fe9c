import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { counted } from '../model/numbers.js'
import { Name } from './basics.js'
import css from './completing.module.css'

/** A field to type into. */
export type Typing = HTMLInputElement | HTMLTextAreaElement

/** A name that is begun in a field, and those that can be meant. */
export interface Begun {
  /** What is typed of it. */
  readonly typed: string
  /** What closes it. */
  readonly end: string
  readonly options: readonly { readonly name: string; readonly meaning?: string }[]
}

/** What may be meant where somebody types a name into a field, and which of it is chosen. */
interface Offer extends Pick<Begun, 'end' | 'options'> {
  readonly input: Typing
  /** Where the name begins. */
  readonly from: number
  readonly chosen: number
  readonly left: number
  readonly top: number
}

/** So many are offered in a line. */
const MOST = 8

interface CompletingProps {
  /** What is offered, and what one of it is called. */
  readonly label: string
  readonly one: string
  /** What is begun where the caret is; null as long as nothing is known that could be meant. */
  readonly begunIn: ((input: Typing) => Begun | null) | null
  readonly children: ComponentChildren
}

/** Offers names in every field where one is begun. Arrows choose, Enter takes, Escape gives up. */
export function Completing({ label, one, begunIn, children }: CompletingProps) {
  const place = useRef<HTMLDivElement>(null)
  const list = useId()
  const [offer, setOffer] = useState<Offer | null>(null)
  useEffect(() => (offer ? describe(offer, list) : undefined), [offer])

  /** The field that was typed into while nothing was known yet. */
  const early = useRef<Typing | null>(null)

  const offerIn = (input: Typing | null) => {
    early.current = begunIn ? null : input
    const begun = input && begunIn?.(input)
    if (!begun || begun.options.length === 0) return setOffer(null)
    const { typed, end } = begun
    const options = begun.options.slice(0, MOST)
    const [box, around] = [input.getBoundingClientRect(), place.current?.getBoundingClientRect()]
    setOffer({
      ...{ input, end, options, chosen: 0, from: (input.selectionStart ?? 0) - typed.length },
      ...{ left: box.left - (around?.left ?? 0), top: box.bottom - (around?.top ?? 0) }
    })
  }
  const onInput = ({ target }: Event) => offerIn(isTyping(target) && target.selectionStart !== null ? target : null)
  useEffect(() => {
    if (begunIn && early.current && early.current === document.activeElement) offerIn(early.current)
  }, [begunIn === null])
  const take = (name: string | undefined) => {
    setOffer(null)
    if (offer && name !== undefined) complete(offer, name)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!offer || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const { options, chosen } = offer
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? options.length - 1 : 0
    if (step > 0) setOffer({ ...offer, chosen: (chosen + step) % options.length })
    else if (event.key === 'Enter') take(options[chosen]?.name)
    else if (event.key === 'Escape') setOffer(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={place}
      class="within stack fit gap-12"
      onInput={onInput}
      onKeyDownCapture={onKeyDown}
      onFocusOut={() => setOffer(null)}
    >
      {children}
      {offer && (
        <div
          class={`${css.list} raised`}
          id={list}
          role="listbox"
          aria-label={label}
          style={{ left: `${offer.left}px`, top: `${offer.top}px` }}
        >
          {offer.options.map(({ name, meaning }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
            <div
              key={name}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === offer.chosen}
              class={`${css.option} row gap-6`}
              // Before the field loses the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(name)}
            >
              <Name class="bold" of={name} />
              {meaning !== undefined && <Name class="cut" of={meaning} />}
            </div>
          ))}
        </div>
      )}
      <p class="visually-hidden" role="status">
        {offer ? `${counted(offer.options.length, one)} offered.` : ''}
      </p>
    </div>
  )
}

const isTyping = (target: EventTarget | null): target is Typing =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

/** Tells who cannot see it which one is chosen, for as long as there is a choice. */
function describe({ input, chosen }: Offer, list: string) {
  const attributes = {
    'aria-autocomplete': 'list',
    'aria-controls': list,
    'aria-activedescendant': `${list}-${chosen}`
  }
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value)
  return () => {
    for (const name of Object.keys(attributes)) input.removeAttribute(name)
  }
}

/** Puts a name in place of what is typed of it, with what closes it behind it. */
function complete({ input, from, end }: Offer, name: string): void {
  const behind = input.value.slice(input.selectionStart ?? 0)
  input.value = `${input.value.slice(0, from)}${name}${behind.startsWith(end) ? '' : end}${behind}`
  input.dispatchEvent(new Event('input', { bubbles: true }))
  const caret = from + name.length + end.length
  input.setSelectionRange(caret, caret)
}
