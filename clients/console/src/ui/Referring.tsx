import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { partsOf, type Variables } from '../model/variables.js'
import css from './referring.module.css'

/** What variables stand for in what is shown; null where that is not known, and references are a text like others. */
export const Variable = createContext<Variables | null>(null)

/** A text with its references to variables marked: the pointer tells what each stands for, and those that nothing sets stand out. */
export function Referring({ text }: { readonly text: string }) {
  const variables = useContext(Variable)
  if (!variables || !text.includes('{{')) return <bdi>{text}</bdi>
  return (
    <bdi>
      {partsOf(text).map(({ text, name }, index) =>
        name === undefined ? (
          text
        ) : (
          <span key={index} class={isUnset(name, variables) ? css.unset : css.set} title={meaning(name, variables)}>
            {text}
          </span>
        )
      )}
    </bdi>
  )
}

const isUnset = (name: string, variables: Variables) => !name.startsWith('$') && !variables.has(name)

function meaning(name: string, variables: Variables): string {
  if (name.startsWith('$')) return 'Made anew for each request.'
  const known = variables.get(name)
  if (!known) return 'Nothing sets this variable.'
  return `${known.isSecret ? 'Secret' : known.value === '' ? 'Empty' : known.value} (${known.from})`
}
