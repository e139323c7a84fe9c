import { document, documentHeaders } from './document.js'
import type { Invite } from './invite.js'
import { browser, CLIENT, details, download, Html, html, icons, notices } from './parts.js'
import { SCRIPT } from './script.js'

/** What does not come from the invite link. */
export interface Setting {
  /** The scheme of the desktop's deep links. */
  readonly scheme: string
  /** True where the hub has a console, in which an invitation can be taken up as well. */
  readonly hasConsole: boolean
  readonly now: Date
}

/** The page behind an invite link: the invitation, or what to do about a link that has none. */
export function joinPage(invite: Invite | null, setting: Setting): string {
  return (invite ? invitationPage(invite, setting) : invalidPage).markup
}

function invitationPage(invite: Invite, { scheme, hasConsole, now }: Setting): Html {
  const isLate = Date.parse(invite.expires) <= now.getTime()
  const settings = html`data-link="${scheme}://team-hub/join" data-now="${now.toISOString()}"`
  return document(
    html`Invitation to ${invite.hub}`,
    html`<main id="invite"${isLate ? html` class="late"` : null} ${settings}>
${icons.mark}
<h1>You’re invited to <bdi>${invite.hub}</bdi></h1>
<p class="lead">Open it in ${CLIENT}, the desktop app, to join.</p>
${notices(isLate)}
<section aria-labelledby="details">
<h2 id="details">Invitation details</h2>
${details(invite, isLate)}
</section>
<div class="actions">
<a id="open" class="button primary" role="link" aria-disabled="true">${icons.open}Open in ${CLIENT}</a>
${hasConsole ? browser : null}
<button id="copy" class="button" type="button" disabled>${icons.copy}<span id="label">Copy link</span></button>
${download}
</div>
<p id="said" class="said" role="status"></p>
<div id="manual" class="manual" hidden>
<label for="field">Link to copy</label>
<textarea id="field" rows="4" readonly></textarea>
</div>
<p class="hint touch">${CLIENT} runs on a computer: open your invite link there${hasConsole ? ', or go on in the browser' : ''}.</p>
<p class="hint">The invitation works once. Use it only if you expected it and know the server.</p>
</main>
<script>${new Html(SCRIPT)}</script>`
  )
}

const invalidPage = document(
  html`Invalid invite link`,
  html`<main>
${icons.mark}
<h1>This invite link is not valid</h1>
<p class="lead">Part of it is missing or has changed on the way to you.</p>
<ul class="steps">
<li>Copy the whole link from your invitation, up to its very end, and open it again.</li>
<li>If that does not help, ask whoever invited you for a new invitation.</li>
</ul>
<div class="actions">${download}</div>
</main>`
)

/** The headers of the join page: it has its own script beside its style. */
export const pageHeaders = documentHeaders(SCRIPT)
