import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { go, linkTo } from '../../app/route.js'
import { pathOf } from '../../model/records.js'
import { Icon, KIND_ICONS, Method } from '../../ui/kit.js'
import css from './search.module.css'
import { type Found, useFound } from './useFound.js'

/** The way to everything by its name or its words: `/` or Ctrl+K opens it from anywhere. */
export function Search() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isJump = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isTyping(event.target)
      if (!isJump && !isSlash) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <button
        type="button"
        class={`${css.button} row soft frame gap-4`}
        onClick={() => setOpen(true)}
        aria-keyshortcuts="/ Control+K"
      >
        <Icon name="search" size={16} />
        <span>Search</span>
        <kbd>/</kbd>
      </button>
      {isOpen && <Palette close={() => setOpen(false)} />}
    </>
  )
}

/** Whether what has the focus takes letters. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Type, choose by arrows, and Enter leads there. Names that are known already come at once, then what the hub finds. */
function Palette({ close }: { readonly close: () => void }) {
  const place = useRef<HTMLDialogElement>(null)
  const list = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const { found, isAsking, isPartial, failure, hasMore } = useFound(text)
  // Before the next key: whoever types on at once loses none.
  useLayoutEffect(() => {
    const dialog = place.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  useEffect(() => setChosen(0), [text])
  const choose = (one: Found | undefined) => {
    if (!one) return
    close()
    go(linkTo(pathOf(one)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0))
    else if (event.key === 'Enter') choose(found[chosen])
    else return
    event.preventDefault()
  }
  const about = failure?.message ?? aboutResults({ text, isEmpty: found.length === 0, isAsking, isPartial })
  return (
    <dialog
      ref={place}
      class={css.palette}
      aria-label="Search"
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClick={(event) => event.target === place.current && close()}
      onKeyDown={onKeyDown}
    >
      <div class={`${css.line} row soft gap-6`}>
        <Icon name="search" />
        <input
          class={`${css.input} fit grow`}
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls={list}
          aria-activedescendant={found.length > 0 ? `${list}-${chosen}` : undefined}
          aria-label="Search"
          placeholder="Search"
          spellcheck={false}
          maxLength={500}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      <div id={list} role="listbox" aria-label="Results" class={`${css.list} scroll`}>
        {found.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the line above takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the line above has the focus
          <div
            key={`${one.kind}-${one.id}`}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === chosen}
            class={`${css.item} pick row gap-5`}
            ref={index === chosen ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
            onClick={() => choose(one)}
            onPointerMove={() => setChosen(index)}
          >
            {one.method ? <Method method={one.method} isShort /> : <Icon name={KIND_ICONS[one.kind]} size={16} />}
            <span class={`${css.words} stack fit grow`}>
              <bdi>{one.name}</bdi>
              {one.snippet ? (
                <Snippet {...one.snippet} />
              ) : (
                one.url && <span class={`${css.snippet} soft cut`}>{one.url}</span>
              )}
            </span>
            {one.where && <span class={`${css.where} cut still hint`}>{one.where}</span>}
          </div>
        ))}
      </div>
      {about !== '' && (
        <p class={`${css.about} soft`} role="status">
          {about}
        </p>
      )}
      {hasMore && <p class={`${css.about} soft`}>There are more. More words find fewer.</p>}
    </dialog>
  )
}

interface Results {
  readonly text: string
  readonly isEmpty: boolean
  readonly isAsking: boolean
  readonly isPartial: boolean
}

/** What there is to say about a list of results; nothing where they speak for themselves. */
function aboutResults({ text, isEmpty, isAsking, isPartial }: Results): string {
  if (text.trim() === '') return 'Type a name, a URL, or words of a body.'
  if (isPartial) return 'The hub is still taking in what was written last. There may be more in a moment.'
  if (!isEmpty) return ''
  return isAsking ? 'Searching…' : 'Nothing has these words.'
}

/** A piece of the text that was found, with the words that were looked for. */
function Snippet({ text, matches }: NonNullable<Found['snippet']>) {
  const parts = []
  let at = 0
  for (const [from, to] of matches) {
    parts.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>)
    at = to
  }
  return (
    <span class={`${css.snippet} soft`}>
      {parts}
      {text.slice(at)}
    </span>
  )
}
