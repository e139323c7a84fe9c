import { randomUUID } from 'node:crypto'
import { noAccess } from '../../commands/people/user/events.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { issueToken } from '../../src/ledger/secrets.js'
import { timeText } from '../../src/lib/clock.js'
import { keyOf } from '../../src/signIn/subject.js'

const HOUR_MS = 3_600_000

/** Signs somebody in with a browser, who is a new account the first time; resolves to the id of the token. */
export async function aSession(ledger: Ledger, name: string, browser = 'Firefox on Linux'): Promise<string> {
  const of = { issuer: 'https://id.example.com', subject: name }
  const expiresAt = timeText(ledger.now() + 12 * HOUR_MS)
  const { token } = issueToken({}, ledger.now(), { expiresAt })
  await ledger.run(
    {
      type: 'SignIn',
      subject: { provider: 'company', ...of, name, key: keyOf(of) },
      session: null,
      replaces: null,
      token: { ...token, expiresAt },
      tokenName: browser,
      newIds: { identity: randomUUID(), user: randomUUID() },
      account: { ...noAccess, name, role: 'user' },
      rules: []
    },
    systemOrigin
  )
  return token.tokenId
}
