/**
 * What a terminal would obey or hide: controls (C0, DEL, C1), marks and overrides of writing direction, separators of lines
 * and paragraphs.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** A text as one line that is safe to show: what a terminal would obey stands there as `\xNN` or `\u{NNNN}`. */
export function visible(text: string): string {
  return text.replaceAll(UNPRINTABLE, (found) => {
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase()
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`
  })
}

/** Texts that are each a line of the output. */
export function visibleLines(lines: readonly string[]): string {
  return lines.map((line) => `${visible(line)}\n`).join('')
}

/** A value as JSON whose text is safe to show and says the same: JSON has an escape of its own for each of these. */
export function visibleJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent)
  return text.replaceAll(UNPRINTABLE, (found) =>
    found === '\n' ? found : `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  )
}
