/** Markup that is safe to serve as it is. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type Part = string | Html | null | readonly Html[]

/**
 * A template whose values are text, escaped, unless they are markup already; null leaves nothing.
 *
 *     html`<p>${'a < b'}</p>`.markup === '<p>a &lt; b</p>'
 */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + markupOf(parts[index] ?? null)).join(''))
}

function markupOf(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (part instanceof Html) return part.markup
  return part.map(({ markup }) => markup).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

/** Text as it may stand in an element and in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
