import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { mentionBegun, peopleLike } from '../../model/mentions.js'
import { Completing, type Typing } from '../../ui/Completing.js'

/** The names of those who can be mentioned in a discussion, as far as they are known. */
export const Mentionable = createContext<readonly string[]>([])

/** Offers the names of people where `@` is typed. */
export function Mentioning({ children }: { readonly children: ComponentChildren }) {
  const people = useContext(Mentionable)
  const begunIn = ({ value, selectionStart }: Typing) => {
    const typed = mentionBegun(value.slice(0, selectionStart ?? 0))
    return typed === null ? null : { typed, end: ' ', options: peopleLike(typed, people).map((name) => ({ name })) }
  }
  return (
    <Completing label="People" one="name" begunIn={begunIn}>
      {children}
    </Completing>
  )
}
