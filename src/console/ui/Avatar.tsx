import css from './Avatar.module.css'

const TONES = 6

/** The initials of a name, in a tone that is always the same for it. */
export function Avatar({ name }: { readonly name: string }) {
  const words = name.split(/\s+/).filter(Boolean)
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return (
    <span
      class={`${css.avatar} ${css[`tone${sum % TONES}`]}`}
      aria-hidden="true"
      // Drawn by the style: as a text they would have to be part of the name of a button that they are on.
      data-initials={initials.toUpperCase()}
    />
  )
}
