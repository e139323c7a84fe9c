import type { Extension } from '@codemirror/state'
import { Decoration, type DecorationSet, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { isUnset, meaningOf, REFERENCE, type Variables } from '../../model/variables.js'

/** Marks references to variables: the pointer tells what each stands for, and those that nothing sets stand out. */
export function referencing(variables: Variables | null): Extension {
  if (!variables) return []
  const decorator = new MatchDecorator({
    regexp: REFERENCE,
    decoration: ([, name = '']) =>
      Decoration.mark({
        class: isUnset(name, variables) ? 'cm-unset' : 'cm-set',
        attributes: { title: meaningOf(name, variables) }
      })
  })
  return ViewPlugin.define<{ marks: DecorationSet; update(update: ViewUpdate): void }>(
    (view) => ({
      marks: decorator.createDeco(view),
      update(update) {
        this.marks = decorator.updateDeco(update, this.marks)
      }
    }),
    { decorations: ({ marks }) => marks }
  )
}
