import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { ClientMetadata } from 'oidc-provider'
import { freePort } from '../support/private-server.js'

/** Somebody whom the provider knows, by the name that they type into its form. */
interface Person {
  readonly name: string
  readonly email: string
  readonly groups: readonly string[]
}

/** A provider that others have written, of one client, with forms to sign in that take any password. */
export interface OidcProvider {
  readonly issuer: string
  close(): Promise<void>
}

const MINUTE = 60

/** Starts it; it has forgotten everything when it is closed. */
export async function startOidcProvider(
  client: ClientMetadata,
  people: Readonly<Record<string, Person>>
): Promise<OidcProvider> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const handle = await quietly(async () => {
    const { default: Provider } = await import('oidc-provider')
    const provider = new Provider(issuer, {
      clients: [client],
      cookies: { keys: [randomUUID()] },
      claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
      ttl: {
        AccessToken: MINUTE,
        AuthorizationCode: MINUTE,
        Grant: MINUTE,
        IdToken: MINUTE,
        Interaction: MINUTE,
        Session: MINUTE
      },
      features: {
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: {
          logoutSource: async (context, form) => void Object.assign(context, { body: form }),
          postLogoutSuccessSource: async (context) => void Object.assign(context, { body: 'Signed out.' })
        }
      },
      // It would ask nobody on this machine.
      fetch: (url, init) => fetch(url, Object.assign({}, init, { dispatcher: undefined })),
      findAccount: (_, sub) => {
        const person = people[sub]
        return (
          person && {
            accountId: sub,
            claims: () => ({ sub, email_verified: true, ...person, groups: [...person.groups] })
          }
        )
      }
    })
    return provider.callback()
  })
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    issuer,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}

/** It warns of the version of Node, of keys that are made for the run, and of forms that are for development. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { info, warn } = console
  Object.assign(console, { info() {}, warn() {} })
  try {
    return await work()
  } finally {
    Object.assign(console, { info, warn })
  }
}

/** A browser at the provider: it keeps its cookies, follows its redirects and fills its forms in. */
export class FormFiller {
  readonly #cookies = new Map<string, string>()
  readonly #login: string

  constructor(login: string) {
    this.#login = login
  }

  /** Goes where the provider leads until that is elsewhere, or nowhere. Resolves to the last address. */
  async go(issuer: string, from: string): Promise<string> {
    let answer = await this.#ask(from)
    for (let address = from; ; ) {
      const location = answer.headers.get('location')
      const page = location === null ? await answer.text() : ''
      const next = location ?? actionIn(page)
      if (next === null) return address
      address = new URL(next, address).href
      if (new URL(address).origin !== issuer) return address
      answer = await this.#ask(address, location === null ? this.#filled(page) : undefined)
    }
  }

  #filled(page: string): URLSearchParams {
    const hidden = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
    const fields = Array.from(hidden, ([, name = '', value = '']): [string, string] => [name, value])
    return new URLSearchParams([...fields, ['login', this.#login], ['password', 'any'], ['logout', 'yes']])
  }

  async #ask(address: string, form?: URLSearchParams): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = form && { method: 'POST', body: form }
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie }, ...sent })
    for (const one of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return answer
  }
}

function actionIn(page: string): string | null {
  return /<form[^>]* action="([^"]+)"/.exec(page)?.[1] ?? null
}
