import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
  startCompletion
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import { search, searchKeymap } from '@codemirror/search'
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { namesLike, type Variables } from '../../model/variables.js'
import { referencing } from './references.js'
import { THEME } from './theme.js'

export type Language = 'json' | 'javascript' | 'markdown' | 'text'

/** A part of a text in which something is wrong, and what. */
export interface Flaw {
  readonly from: number
  readonly to: number
  readonly fault: string
}

/** What is about the text beside itself. */
interface Around {
  readonly label: string
  readonly isInvalid: boolean
  readonly language: Language
  /** What its references stand for; null where that is not known. */
  readonly variables: Variables | null
}

interface Opening extends Around {
  readonly text: string
  /** Told of each text that is typed. */
  readonly typed: (text: string) => void
  /** Looked at once nothing is typed for a while; null where nothing is wrong. */
  readonly flawOf: (text: string) => Flaw | null
}

/** An editor in a page. */
export interface Editor {
  /** Puts a text in place of what is there; what is the same at both ends stays untouched, and so does a selection in it. */
  show(text: string): void
  surround(around: Around): void
  /** Selects a part and brings it into sight. */
  select(part: { readonly from: number; readonly to: number }): void
  focus(): void
  close(): void
}

/** Longer texts have no colours, and nobody looks for what is wrong in them: both would hold up typing. */
const LOOKED_INTO_LENGTH = 256 * 1024
const LOOKED_AT_AFTER_MS = 400

/** Whether each line of a text ends as Windows ends it: in an editor they end alike, and what is typed is given back as it was. */
const isOfWindows = (text: string): boolean => text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text)

/** A change that was not typed. */
const fromOutside = Annotation.define<true>()

const LANGUAGES: Readonly<Record<Language, () => Promise<Extension>>> = {
  json: async () => (await import('@codemirror/lang-json')).json(),
  javascript: async () => (await import('@codemirror/lang-javascript')).javascript(),
  markdown: async () => (await import('@codemirror/lang-markdown')).markdown(),
  text: async () => []
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.attributeName, tags.tagName, tags.heading], color: 'var(--code-name)' },
  { tag: [tags.string, tags.regexp, tags.link, tags.url], color: 'var(--code-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-number)' },
  { tag: [tags.keyword, tags.definitionKeyword, tags.typeName], color: 'var(--code-word)' },
  { tag: [tags.comment, tags.quote], color: 'var(--soft)', fontStyle: 'italic' },
  { tag: tags.strong, fontWeight: 'bold' },
  { tag: tags.emphasis, fontStyle: 'italic' }
])

/**
 * Opens an editor in `root`, a shadow root: there its styles are constructed sheets, which the page's policy allows. Tab leaves it, as
 * it leaves any field; Ctrl+] and Ctrl+[ indent.
 */
export function openEditor(root: ShadowRoot, { text, typed, flawOf, ...around }: Opening): Editor {
  const [naming, colouring, referring] = [new Compartment(), new Compartment(), new Compartment()]
  // None yet: what was begun in the field whose place this takes is completed as what is typed before they are known.
  let now: Around = { ...around, variables: null }
  let lineEnd = isOfWindows(text) ? '\r\n' : '\n'
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        ...[lineNumbers(), history(), drawSelection(), highlightActiveLine(), highlightSpecialChars()],
        ...[EditorView.lineWrapping, bracketMatching(), indentOnInput(), syntaxHighlighting(COLOURS), THEME],
        ...[search({ top: true }), TYPED_OVER, ABOVE_BAR],
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap]),
        autocompletion({ override: [(at) => namesAt(at, now.variables)], icons: false }),
        linter((view) => flawsIn(view, flawOf), { delay: LOOKED_AT_AFTER_MS }),
        ...[naming.of(named(around)), colouring.of([]), referring.of(referencing(around.variables))],
        EditorView.updateListener.of((update) => {
          const isTyped = update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside))
          if (isTyped) typed(update.state.doc.sliceString(0, undefined, lineEnd))
        })
      ]
    })
  })
  const colour = async ({ language }: Around) => {
    const isLong = view.state.doc.length > LOOKED_INTO_LENGTH
    // Without its colours a text can be typed as well.
    const extension = isLong ? [] : await LANGUAGES[language]().catch(() => [])
    if (now.language === language) view.dispatch({ effects: colouring.reconfigure(extension) })
  }
  void colour(around)
  return {
    show(text) {
      lineEnd = isOfWindows(text) ? '\r\n' : '\n'
      replace(view, text.replace(/\r\n?/g, '\n'))
    },
    surround(next) {
      const before = now
      now = next
      view.dispatch({ effects: [naming.reconfigure(named(next)), referring.reconfigure(referencing(next.variables))] })
      if (next.language !== before.language) void colour(next)
      // What is being typed may be a reference to one of them.
      if (!before.variables && next.variables && view.hasFocus) startCompletion(view)
    },
    select({ from, to }) {
      const end = view.state.doc.length
      view.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true })
    },
    focus: () => view.focus(),
    close: () => view.destroy()
  }
}

/**
 * Typing over a selection, in place of the browser: that would give what is typed the look of what was there, by a style in an
 * attribute, which the page's policy refuses.
 */
const TYPED_OVER: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event
    if (inputType !== 'insertText' || data === null || view.state.selection.main.empty) return false
    event.preventDefault()
    view.dispatch({ ...view.state.replaceSelection(data), userEvent: 'input.type', scrollIntoView: true })
    return true
  }
})

/** Brings the line that is typed above the bar with Save, which lies over the end of the page: an editor knows of none. */
const ABOVE_BAR: Extension = EditorView.scrollHandler.of((view, { head }) => {
  const form = view.root instanceof ShadowRoot ? view.root.host.closest('form') : null
  const bar = form?.querySelector('footer')
  if (bar) {
    view.requestMeasure({
      read: () => (view.coordsAtPos(head)?.bottom ?? 0) - bar.getBoundingClientRect().top,
      write: (hidden_px) => {
        if (hidden_px > 0) form?.closest('main')?.scrollBy(0, hidden_px)
      }
    })
  }
  return false
})

/** What reads the page aloud is told. */
const named = ({ label, isInvalid }: Around): Extension =>
  EditorView.contentAttributes.of({ 'aria-label': label, 'aria-invalid': String(isInvalid) })

function replace(view: EditorView, text: string): void {
  const before = view.state.doc.toString()
  if (before === text) return
  const most = Math.min(before.length, text.length)
  let from = 0
  while (from < most && before[from] === text[from]) from++
  let same = 0
  while (same < most - from && before.at(-1 - same) === text.at(-1 - same)) same++
  view.dispatch({
    changes: { from, to: before.length - same, insert: text.slice(from, text.length - same) },
    annotations: fromOutside.of(true)
  })
}

function flawsIn({ state: { doc } }: EditorView, flawOf: Opening['flawOf']): readonly Diagnostic[] {
  const flaw = doc.length > LOOKED_INTO_LENGTH ? null : flawOf(doc.toString())
  if (!flaw) return []
  const { from, to, fault } = flaw
  return [
    {
      from: Math.min(from, doc.length),
      to: Math.min(Math.max(to, from), doc.length),
      severity: 'error',
      message: fault
    }
  ]
}

/** The variables that a reference which is being typed may be meant for. */
function namesAt(at: CompletionContext, variables: Variables | null): CompletionResult | null {
  const begun = at.matchBefore(/\{\{\s*[^{}\s]*/)
  if (!begun || !variables) return null
  const typed = begun.text.replace(/^\{\{\s*/, '')
  const isClosed = at.state.sliceDoc(at.pos, at.pos + 2) === '}}'
  return {
    from: at.pos - typed.length,
    filter: false,
    // With each key: what is picked from a list that waits to be made anew is not taken.
    update: (_list, _from, _to, next) => namesAt(next, variables),
    options: namesLike(typed, variables).map(({ name, meaning }) => ({
      label: name,
      detail: meaning,
      apply: isClosed ? name : `${name}}}`
    }))
  }
}
