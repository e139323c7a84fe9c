import type { Page } from 'playwright-core'
import { z } from 'zod'
import type { Client } from './administration.js'
import type { Setting } from './setting.js'

/** Another application of the same provider: it has no pages, and tells the provider who leaves. */
export const OTHER: Client = {
  ...{ id: 'other', name: 'Other application', secret: 'SecretOfTheOtherApplication1' },
  ...{ redirectUri: 'http://127.0.0.1:59999/back', logoutUri: null }
}

const tokens = z.object({ id_token: z.string() })

/** Signs somebody in to it who is signed in at the provider in this browser, and leads the browser to the page to sign out there. */
export async function leaveByOther(page: Page, { issuer }: Setting): Promise<void> {
  const request = { response_type: 'code', client_id: OTHER.id, redirect_uri: OTHER.redirectUri, scope: 'openid' }
  const asked = new URLSearchParams({ ...request, state: 'state-of-the-other', nonce: 'nonce-of-the-other' })
  // What its page adds when somebody goes on.
  const address = `${issuer}/auth?${asked}&g_continue`
  const led = await page.context().request.get(address, { maxRedirects: 0 })
  const back = new URL(led.headers().location ?? '', issuer)
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${OTHER.id}:${OTHER.secret}`).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: OTHER.redirectUri
    })
  })
  const { id_token } = tokens.parse(await answer.json())
  await page.goto(`${issuer}/end_session?${new URLSearchParams({ id_token_hint: id_token })}`)
}
