import type { FastifyReply } from 'fastify'
import type { SignInService } from '../../signIn/service.js'
import { knownRefusal } from '../errors.js'
import { document, documentHeaders } from '../join/document.js'
import { html, icons } from '../join/parts.js'

/** Where somebody is led to who is signed in, or is not: never where a request says. */
export function homeOf({ base }: Pick<SignInService, 'base'>): string {
  return `${String(base).replace(/\/+$/, '')}/console/`
}

/** Leads a browser on, with what it is to keep; where that is refused, with a page that says why, and with `otherwise`. */
export async function led(
  reply: FastifyReply,
  signIn: SignInService,
  otherwise: readonly string[],
  on: () => Promise<{ readonly location: string; readonly cookies: readonly string[] }>
) {
  try {
    const { location, cookies } = await on()
    reply
      .code(302)
      .headers({ location, 'set-cookie': [...cookies], 'cache-control': 'no-store' })
      .send()
  } catch (error) {
    const known = knownRefusal(error)
    if (!known) throw error
    const headers = { ...known.headers, ...notSignedInHeaders, 'set-cookie': [...otherwise] }
    reply
      .code(known.status)
      .headers(headers)
      .send(notSignedInPage(known.message, homeOf(signIn)))
  }
  return null
}

/** The page for somebody who came back from a provider and is not signed in: why, and the way back. */
function notSignedInPage(why: string, home: string): string {
  return document(
    html`Not signed in`,
    html`<main>
${icons.mark}
<h1>You are not signed in</h1>
<p class="lead">${why}</p>
<div class="actions"><a class="button primary" href="${home}">Back to the first page</a></div>
</main>`
  ).markup
}

const notSignedInHeaders = documentHeaders()
