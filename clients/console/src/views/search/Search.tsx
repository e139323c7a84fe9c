import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { go, linkTo } from '../../app/route.js'
import { withMarks } from '../../model/marks.js'
import { pathOf } from '../../model/records.js'
import { urlMasked } from '../../model/urlSecrets.js'
import { Icon, isTyping, KindMark, Name, useKeys } from '../../ui/kit.js'
import { type Command, commandsFor } from './commands.js'
import css from './search.module.css'
import { type Found, useFound } from './useFound.js'

/** The way to everything by its name or its words: `/` or Ctrl+K opens it from anywhere. */
export function Search() {
  const [isOpen, setOpen] = useState(false)
  useKeys((event) => {
    const isJump = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isTyping(event)
    if (!isJump && !isSlash) return
    event.preventDefault()
    setOpen(true)
  })
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

/** What is chosen: an entry by its id once somebody has moved to it, else the one in that place. */
const FIRST: { readonly place: number; readonly id?: string | undefined } = { place: 0 }

/** So many records stand before commands. */
const BEFORE_COMMANDS = 3

/** Type, choose by arrows, and Enter leads there. Names that are known already come at once, then what the hub finds. */
function Palette({ close }: { readonly close: () => void }) {
  const place = useRef<HTMLDialogElement>(null)
  const list = useId()
  const [text, setText] = useState('')
  const [choice, setChoice] = useState(FIRST)
  const { found, isAsking, isPartial, failure, hasMore, more } = useFound(text)
  // Before the next key: whoever types on at once loses none.
  useLayoutEffect(() => {
    const dialog = place.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  // Records have most of the words that people type: commands stand behind names that are known, and before what is found in texts.
  const commands = commandsFor(text)
  const entries: readonly (Found | Command)[] = [
    ...found.slice(0, BEFORE_COMMANDS),
    ...commands,
    ...found.slice(BEFORE_COMMANDS),
    ...(more ? [{ id: 'more', name: 'Show more', icon: 'down', act: more, isStaying: true } as const] : [])
  ]
  // What comes meanwhile may stand before it. What has gone leaves its place.
  const at = entries.findIndex(({ id }) => id === choice.id)
  const chosen = at < 0 ? Math.min(choice.place, Math.max(0, entries.length - 1)) : at
  const setChosen = (place: number) => setChoice({ place, id: entries[place]?.id })
  const choose = (one: Found | Command | undefined) => {
    if (!one) return
    if ('isStaying' in one) setChoice({ ...FIRST, place: chosen })
    else {
      // At once: nothing behind an open dialog takes the focus.
      place.current?.close()
      close()
    }
    if ('act' in one) one.act()
    else go(linkTo(pathOf(one)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // What is put together of several keys, as Japanese is, takes Enter and arrows itself.
    if (event.isComposing) return
    if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, entries.length - 1))
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0))
    else if (event.key === 'Enter') choose(entries[chosen])
    else return
    event.preventDefault()
  }
  const about =
    failure?.message ?? aboutResults(text, { empty: entries.length === 0, asked: isAsking, partial: isPartial })
  return (
    <dialog
      ref={place}
      class={`${css.palette} sheet`}
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
          aria-expanded={entries.length > 0}
          aria-controls={list}
          aria-activedescendant={entries.length > 0 ? `${list}-${chosen}` : undefined}
          aria-label="Search"
          placeholder="Search"
          spellcheck={false}
          maxLength={500}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            // At once: behind the next painting it would take back a key that has come before.
            setChoice(FIRST)
          }}
        />
      </div>
      <div id={list} role="listbox" aria-label="Results" class={`${css.list} scroll`}>
        {entries.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the line above takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the line above has the focus
          <div
            key={one.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === chosen}
            class={`${css.item} pick row gap-5`}
            ref={index === chosen ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
            onClick={() => choose(one)}
            onPointerMove={() => setChosen(index)}
          >
            {'act' in one ? <CommandLine command={one} /> : <FoundLine found={one} />}
          </div>
        ))}
      </div>
      {about !== '' && (
        <p class={`${css.about} soft`} role="status">
          {about}
        </p>
      )}
      {hasMore && !more && <p class={`${css.about} soft`}>There are more. More words find fewer.</p>}
    </dialog>
  )
}

const CommandLine = ({ command: { name, icon, where } }: { readonly command: Command }) => (
  <>
    <Icon name={icon} size={16} />
    <span class="grow">{name}</span>
    {where && <span class={`${css.where} cut still hint`}>{where}</span>}
  </>
)

function FoundLine({ found: { kind, name, method, url, snippet, where } }: { readonly found: Found }) {
  return (
    <>
      <KindMark kind={kind} method={method} size={16} />
      <span class="stack fit grow">
        <Name class="cut" of={name} />
        {snippet ? (
          <Snippet {...snippet} />
        ) : (
          url && <span class={`${css.snippet} soft cut`}>{withMarks(urlMasked(url))}</span>
        )}
      </span>
      {where && <span class={`${css.where} cut still hint`}>{where}</span>}
    </>
  )
}

/** What there is to say about a list of results; nothing where they speak for themselves. */
function aboutResults(text: string, are: Readonly<Record<'empty' | 'asked' | 'partial', boolean>>): string {
  if (text.trim() === '') return 'Type a name, a URL, or words of a body.'
  if (are.partial) return 'The hub is still taking in what was written last. There may be more in a moment.'
  if (!are.empty) return ''
  return are.asked ? 'Searching…' : 'Nothing has these words.'
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
    <span class={`${css.snippet} soft cut`}>
      {parts}
      {text.slice(at)}
    </span>
  )
}
