import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { withMarks } from '../model/marks.js'
import { urlPartsOf } from '../model/pathVariables.js'
import { isUnset, meaningOf, partsOf, type Variables } from '../model/variables.js'
import css from './referring.module.css'

/** What variables stand for in what is shown; null where that is not known, and references are a text like others. */
export const Variable = createContext<Variables | null>(null)

interface ReferringProps {
  readonly text: string
  /** Whether it is a URL that is sent, in whose path variables may stand too. */
  readonly isUrl?: boolean
}

/** A text with its references to variables marked: the pointer tells what each stands for, and those that nothing sets stand out. */
export function Referring({ text, isUrl = false }: ReferringProps) {
  const variables = useContext(Variable)
  if (!variables || !(text.includes('{{') || (isUrl && text.includes('/:')))) return <bdi>{withMarks(text)}</bdi>
  return (
    <bdi>
      {(isUrl ? urlPartsOf : partsOf)(text).map(({ text, name }, index) =>
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
