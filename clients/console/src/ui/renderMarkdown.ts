import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import { mentionParts } from '../model/mentions.js'
import type { TextPart } from '../model/variables.js'

// What a text is made of. No images: they would be loaded from elsewhere. No ids, classes or styles of their own.
const TAGS = 'a,blockquote,br,code,del,em,h1,h2,h3,h4,h5,h6,hr,li,ol,p,pre,strong,table,tbody,td,th,thead,tr,ul'.split(
  ','
)
const ATTRIBUTES = ['href', 'align', 'start']
const LINKS = /^(?:https?|mailto):/i

// HTML in a text is shown as it was written: even to parse it makes the browser report what it would not run.
const marked = new Marked({
  gfm: true,
  renderer: { html: ({ text }) => escaped(text), image: ({ text }) => escaped(text) }
})

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one)

/** Renders Markdown into elements that can neither run nor load anything. Links open elsewhere, and tell nobody where from. */
export function renderMarkdown(text: string): DocumentFragment {
  const rendered = DOMPurify.sanitize(marked.parse(text, { async: false }), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOWED_URI_REGEXP: LINKS,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true
  })
  for (const link of rendered.querySelectorAll('a')) {
    link.target = '_blank'
    link.rel = 'noopener noreferrer nofollow'
  }
  for (const block of rendered.querySelectorAll('pre, table')) block.setAttribute('tabindex', '0')
  lowerHeadings(rendered)
  return rendered
}

/** The page has its own first heading. */
function lowerHeadings(rendered: DocumentFragment): void {
  for (const level of [5, 4, 3, 2, 1]) {
    for (const heading of rendered.querySelectorAll(`h${level}`)) {
      const lower = document.createElement(`h${level + 1}`)
      lower.replaceChildren(...heading.childNodes)
      heading.replaceWith(lower)
    }
  }
}

/** Marks each mention of one of these people in what was rendered, but in code and links; the pointer tells who is meant. */
export function markMentions(rendered: DocumentFragment, people: readonly string[], mark = ''): void {
  const texts = document.createTreeWalker(rendered, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    if (node instanceof Text && node.data.includes('@') && !node.parentElement?.closest('a, code')) found.push(node)
  for (const node of found) {
    const parts = mentionParts(node.data, people)
    if (parts.some(({ name }) => name !== undefined))
      node.replaceWith(...parts.map((part) => mentionMarked(part, mark)))
  }
}

function mentionMarked({ text, name }: TextPart, mark: string): Node {
  if (name === undefined) return document.createTextNode(text)
  const found = document.createElement('span')
  found.className = mark
  found.title = name
  found.textContent = text
  return found
}
