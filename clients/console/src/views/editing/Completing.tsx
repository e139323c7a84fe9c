import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import { counted } from '../../model/numbers.js'
import { isPathName } from '../../model/pathVariables.js'
import { namesLike } from '../../model/variables.js'
import { Variable } from '../../ui/Referring.js'
import css from './completing.module.css'

/** What may be meant where somebody types a reference into a field, and which of it is chosen. */
interface Offer {
  readonly input: HTMLInputElement
  /** Where the name begins. */
  readonly from: number
  /** What closes it. */
  readonly end: string
  readonly options: ReturnType<typeof namesLike>
  readonly chosen: number
  readonly left: number
  readonly top: number
}

const BEGUN = /\{\{\s*([^{}\s]*)$/
const BEGUN_IN_PATH = /^[^?#]*\/:([^/:?#{}]*)$/

/** What is typed of a name, what closes it, and which names can stand there; null where none is begun. */
function begunIn(input: HTMLInputElement) {
  const before = input.value.slice(0, input.selectionStart ?? 0)
  const typed = BEGUN.exec(before)?.[1]
  if (typed !== undefined) return { typed, end: '}}', fits: () => true }
  const inPath = input.dataset.path === undefined ? undefined : BEGUN_IN_PATH.exec(before)?.[1]
  return inPath === undefined ? null : { typed: inPath, end: '', fits: isPathName }
}
/** So many are offered in a line. */
const MOST = 8

/** Offers the variables that are known in every line of a form where `{{` is typed, and in a path where `/:` is. Arrows choose, Enter takes, Escape gives up. */
export function Completing({ children }: { readonly children: ComponentChildren }) {
  const variables = useContext(Variable)
  const place = useRef<HTMLDivElement>(null)
  const list = useId()
  const [offer, setOffer] = useState<Offer | null>(null)
  useEffect(() => (offer ? describe(offer, list) : undefined), [offer])

  /** The field that was typed into while nothing was known yet. */
  const early = useRef<HTMLInputElement | null>(null)

  const offerIn = (input: HTMLInputElement | null) => {
    early.current = variables ? null : input
    const begun = input && begunIn(input)
    if (!begun || !variables) return setOffer(null)
    const { typed, end, fits } = begun
    const options = namesLike(typed, variables)
      .filter(({ name }) => fits(name))
      .slice(0, MOST)
    if (options.length === 0) return setOffer(null)
    const [box, around] = [input.getBoundingClientRect(), place.current?.getBoundingClientRect()]
    setOffer({
      ...{ input, end, options, chosen: 0, from: (input.selectionStart ?? 0) - typed.length },
      ...{ left: box.left - (around?.left ?? 0), top: box.bottom - (around?.top ?? 0) }
    })
  }
  const onInput = ({ target }: Event) =>
    offerIn(target instanceof HTMLInputElement && target.selectionStart !== null ? target : null)
  useEffect(() => {
    if (variables && early.current && early.current === document.activeElement) offerIn(early.current)
  }, [variables])
  const take = (name: string | undefined) => {
    setOffer(null)
    if (offer && name !== undefined) complete(offer, name)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!offer || event.altKey || event.ctrlKey || event.metaKey) return
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
      class={`${css.place} stack fit gap-12`}
      onInput={onInput}
      onKeyDownCapture={onKeyDown}
      onFocusOut={() => setOffer(null)}
    >
      {children}
      {offer && (
        <div
          class={css.list}
          id={list}
          role="listbox"
          aria-label="Variables"
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
              <bdi class="bold">{name}</bdi>
              <bdi class={css.meaning}>{meaning}</bdi>
            </div>
          ))}
        </div>
      )}
      <p class="visually-hidden" role="status">
        {offer ? `${counted(offer.options.length, 'variable')} offered.` : ''}
      </p>
    </div>
  )
}

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
