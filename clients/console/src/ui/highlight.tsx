import hljs from 'highlight.js/lib/core'
import css from 'highlight.js/lib/languages/css'
import graphql from 'highlight.js/lib/languages/graphql'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import markdown from 'highlight.js/lib/languages/markdown'
import xml from 'highlight.js/lib/languages/xml'
import type { ComponentChildren } from 'preact'
import colours from './highlight.module.css'

const LANGUAGES = { css, graphql, javascript, json, markdown, xml }
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

export type Language = keyof typeof LANGUAGES | 'text'

/** How the pieces of a text are drawn that have one colour each, in their order. */
type Draw = (piece: string) => ComponentChildren

/** A text in colours, as elements: nothing of it is ever read as HTML. `drawing` is given the text as it is drawn. */
export function highlight(
  text: string,
  language: Exclude<Language, 'text'>,
  drawing: (text: string) => Draw = () => (piece) => piece
): ComponentChildren[] {
  const { body } = new DOMParser().parseFromString(
    asTrusted(hljs.highlight(text, { language, ignoreIllegals: true }).value),
    'text/html'
  )
  return partsOf(body, drawing(body.textContent ?? ''))
}

/** The highlighter escapes what it is given; its markup is parsed into a document of its own and taken apart there. */
function asTrusted(markup: string): string {
  return (policy?.createHTML(markup) ?? markup) as string
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(markup: string): string }): { createHTML(markup: string): unknown }
}
const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy('console', { createHTML: (markup) => markup })

function partsOf(parent: Node, draw: Draw): ComponentChildren[] {
  return [...parent.childNodes].map((node, index) => {
    if (!(node instanceof Element)) return draw(node.textContent ?? '')
    const names = [...node.classList].map((name) => colours[name.replace('hljs-', '')]).filter(Boolean)
    return (
      <span key={index} class={names.join(' ')}>
        {partsOf(node, draw)}
      </span>
    )
  })
}
