import { type Html, html } from './html.js'
import { icons } from './icons.js'
import type { Invite } from './invite.js'

/** The desktop app that redeems invitations. */
export const CLIENT = 'HarborClient'

const ROLES = { admin: 'Administrator', user: 'User' } as const

/** The rows that say what the invitation is; the script puts the visitor's own time into the one about its end. */
export function details({ name, role, expires, server, access }: Invite, isLate: boolean): Html {
  const time = html`<time id="time" datetime="${expires}">${readable(expires)}</time>`
  return html`<dl>
${row('Invited as', isolated(name))}
${row('Role', html`${ROLES[role]}`)}
${row('Expires', html`${time} <span id="left">${isLate ? 'expired' : ''}</span>`)}
${server === null ? null : row('Server', isolated(server))}
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
