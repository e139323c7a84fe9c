import { EditorView } from '@codemirror/view'

/** How an editor looks: the colours are those of the page, light or dark. */
export const THEME = EditorView.theme({
  '&': { maxHeight: '70vh', color: 'var(--text)', font: '0.8125rem / 1.55 var(--mono)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'inherit', minHeight: '4.5rem', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', padding: '0.375rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { color: 'var(--faint)', background: 'var(--sunken)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 50%, transparent)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--accent-back)'
  },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--accent-back)' },
  '.cm-set': { color: 'var(--accent)', fontWeight: '600' },
  '.cm-unset': { color: 'var(--bad)', textDecoration: 'underline dotted' },
  '.cm-specialChar': { color: 'var(--bad)' },
  '.cm-tooltip': {
    maxWidth: '30rem',
    padding: '0.25rem 0.5rem',
    color: 'var(--text)',
    background: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--tight)',
    boxShadow: 'var(--shadow)',
    overflowWrap: 'anywhere'
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--on-accent)',
    background: 'var(--accent)'
  },
  '.cm-completionDetail': { color: 'inherit', opacity: '0.8', fontStyle: 'normal' },
  '.cm-diagnostic-error': { borderLeft: 'none' },
  '.cm-panels': { color: 'var(--text)', background: 'var(--sunken)', fontFamily: 'var(--sans)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-textfield, .cm-button': {
    color: 'inherit',
    background: 'var(--card)',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--tight)'
  },
  '.cm-searchMatch': { backgroundColor: 'var(--note-back)', outline: '1px solid var(--note-line)' }
})
