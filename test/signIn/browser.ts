/** A browser without pages: it keeps cookies of one hub, and follows no redirect by itself. */
export class Browser {
  readonly #base: string
  readonly cookies = new Map<string, string>()

  constructor(base: string) {
    this.#base = base
  }

  /** Asks the hub, with the cookies that it has set, as a page of its own does. */
  async ask(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {}
  ) {
    const sent: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await fetch(path.startsWith('http') ? path : this.#base + path, {
      method,
      redirect: 'manual',
      headers: { cookie: this.#cookie(), 'sec-fetch-site': 'same-origin', ...sent, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    this.#keep(response)
    return response
  }

  /** Signs in with a provider that asks nothing. Resolves to what the hub says when the browser is back. */
  async signIn(id = 'company'): Promise<Response> {
    return this.ask('GET', await this.wayBack(await this.ask('GET', `/auth/sign-in/${id}`)))
  }

  /** Where the provider leads a browser back to that was led to it. */
  async wayBack(led: Response): Promise<string> {
    const back = await fetch(led.headers.get('location') ?? '', { redirect: 'manual' })
    const { pathname, search } = new URL(back.headers.get('location') ?? '')
    return pathname + search
  }

  #cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #keep(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (value === '' || /max-age=0/i.test(cookie)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}
