import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { withMarks } from '../model/marks.js'
import { isUnset, meaningOf, partsOf, type Variables } from '../model/variables.js'
import css from './referring.module.css'

/** What variables stand for in what is shown; null where that is not known, and references are a text like others. */
export const Variable = createContext<Variables | null>(null)

/** A text with its references to variables marked: the pointer tells what each stands for, and those that nothing sets stand out. */
export function Referring({ text }: { readonly text: string }) {
  const variables = useContext(Variable)
  if (!variables || !text.includes('{{')) return <bdi>{withMarks(text)}</bdi>
  return (
    <bdi>
      {partsOf(text).map(({ text, name }, index) =>
        name === undefined ? (
          withMarks(text)
        ) : (
          <span key={index} class={isUnset(name, variables) ? css.unset : css.set} title={meaningOf(name, variables)}>
            {text}
          </span>
        )
      )}
    </bdi>
  )
}
