import type { Invite } from './invite.js'

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

const icon = (shape: string, name = '') =>
  new Html(`<svg${name && ` class="${name}"`} viewBox="0 0 24 24" aria-hidden="true">${shape}</svg>`)

/** The drawings of the join page: decoration, which screen readers pass over. */
export const icons = {
  mark: icon(
    '<circle cx="12" cy="12" r="3"/><circle cx="12" cy="4" r="2"/><circle cx="5" cy="17.5" r="2"/>' +
      '<circle cx="19" cy="17.5" r="2"/><path d="M12 6v3m-2.4 4.8-3 2.4m7.8-2.4 3 2.4"/>',
    'mark'
  ),
  open: icon('<path d="M14 4h6v6m0-6-9 9M10 5H6a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2v-4"/>'),
  browser: icon('<rect x="3" y="4" width="18" height="16" rx="2"/><path d="M3 9h18M6.5 6.5v.01m3-.01v.01"/>'),
  copy: icon(
    '<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15a1 1 0 0 1-1-1V6a2 2 0 0 1 2-2h8a1 1 0 0 1 1 1"/>'
  ),
  download: icon('<path d="M12 4v11m-5-5 5 5 5-5M5 20h14"/>'),
  warning: icon('<circle cx="12" cy="12" r="9"/><path d="M12 7.5V13m0 3.5v.01"/>')
}

/** The desktop app that redeems invitations. */
export const CLIENT = 'HarborClient'

const ROLES = { admin: 'Administrator', user: 'User' } as const

/** The rows that say what the invitation is; the script puts the visitor's own time into the one about its end. */
export function details({ name, role, expires, server, access, tenant }: Invite, isLate: boolean): Html {
  const time = html`<time id="time" datetime="${expires}">${readable(expires)}</time>`
  return html`<dl>
${row('Invited as', isolated(name))}
${row('Role', html`${ROLES[role]}`)}
${row('Expires', html`${time} <span id="left">${isLate ? 'expired' : ''}</span>`)}
${server === null ? null : row('Server', isolated(server))}
${tenant === null ? null : row('Tenant', html`<code>${tenant}</code>`)}
${access === null ? null : row('Access', list(access))}
</dl>`
}

/** What stands in the way, with what to do about it: the script shows what applies, the server what it can know. */
export function notices(isLate: boolean): Html {
  return html`<div role="status">
<div id="expired" class="notice bad"${isLate ? null : html` hidden`}>${icons.warning}
<p><strong>This invitation has expired.</strong> Ask whoever invited you for a new one.</p>
</div>
<div id="incomplete" class="notice bad" hidden>${icons.warning}
<p><strong>The secret code is missing from this link.</strong>
Copy the whole link from your invitation, up to its very end, and open it again.</p>
</div>
</div>
<noscript>
<div class="notice note">${icons.warning}
<p><strong>This page needs JavaScript.</strong> The secret code of your link stays in your browser, so only a script
in this page can hand it to ${CLIENT}. Allow JavaScript here and load the page again.</p>
</div>
</noscript>`
}

/** The way to the app, which leaves the invitation open. */
export const download = html`<a class="button" href="https://harborclient.com/download" target="_blank" rel="noreferrer">
${icons.download}<span>Get ${CLIENT}<span class="unseen"> (opens in a new tab)</span></span></a>`

/** The way to the console, for who has not the app. Like the way to the app it waits for the script, which alone has the code. */
export const browser = html`<a id="browser" class="button wide" role="link" aria-disabled="true">
${icons.browser}Open in the browser</a>`

function row(label: string, value: Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`
}

/** Clients join the parts of a summary by middle dots. */
function list(access: string): Html {
  return html`<ul>${access.split(' · ').map((part) => html`<li>${isolated(part)}</li>`)}</ul>`
}

/** Letters that run from right to left, or characters that turn the direction, must not reorder what stands around. */
function isolated(text: string): Html {
  return html`<bdi>${text}</bdi>`
}

const format = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short'
})

function readable(time: string): string {
  return format.format(Date.parse(time))
}
