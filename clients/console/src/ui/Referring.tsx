import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { withMarks } from '../model/marks.js'
import { urlPartsOf } from '../model/pathVariables.js'
import { isUnset, meaningOf, namesIn, partsOf, type TextPart, type Variables } from '../model/variables.js'
import css from './referring.module.css'

/** What variables stand for in what is shown; null where that is not known, and references are a text like others. */
export const Variable = createContext<Variables | null>(null)

/** What is said of a variable that is not among these. */
export const Unknown = createContext('Nothing sets this variable.')

interface ReferringProps {
  readonly text: string
  /** Whether it is a URL that is sent, in whose path variables may stand too. */
  readonly isUrl?: boolean
}

/** A text with its references to variables marked: the pointer tells what each stands for, and those that nothing sets stand out. */
export function Referring({ text, isUrl = false }: ReferringProps) {
  const variables = useContext(Variable)
  const isPlain = !variables || !(text.includes('{{') || (isUrl && text.includes('/:')))
  return <bdi>{isPlain ? withMarks(text) : <Parts parts={(isUrl ? urlPartsOf : partsOf)(text)} />}</bdi>
}

/** The parts of a text, with those that are references marked. */
export function Parts({ parts }: { readonly parts: readonly TextPart[] }) {
  const variables = useContext(Variable)
  const unknown = useContext(Unknown)
  return (
    <>
      {parts.map(({ text, name }, index) => {
        if (name === undefined || !variables) return withMarks(text)
        const isMissing = isUnset(name, variables)
        return (
          <span
            key={index}
            class={isMissing ? css.unset : css.set}
            title={isMissing ? unknown : meaningOf(name, variables)}
          >
            {text}
          </span>
        )
      })}
    </>
  )
}

/** Which of the variables that are referred to in some texts nothing sets, in a sentence; undefined where there is none. */
export function useUnset(texts: readonly string[]): string | undefined {
  const variables = useContext(Variable)
  if (!variables) return undefined
  const unset = namesIn(texts).filter((name) => isUnset(name, variables))
  return unset.length === 0 ? undefined : `Nothing sets ${unset.map((name) => `{{${name}}}`).join(', ')}.`
}
