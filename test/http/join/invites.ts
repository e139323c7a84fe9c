const HOUR_MS = 3_600_000

export const SECRET = 'hbi_Zx7Qm2Lr9Tn4Vb8Ks3Wd6Yh1Jp5Gc0Fa_-BEuoMtN8'

/** The parameters of an invite link, as clients make it. */
export const usual: Readonly<Record<string, string>> = {
  url: 'https://hub.example.com',
  name: 'Ada Lovelace',
  role: 'user',
  exp: in_ms(23.5 * HOUR_MS),
  hub: 'Analytical Engines',
  access: 'Collections: all · Environments: none · Snippets: none · LLM: disabled'
}

/** The query string of an invite link that differs from the usual one in this; undefined leaves a parameter out. */
export function queryOf(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const query = new URLSearchParams(usual)
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(key)
    else query.set(key, value)
  }
  return query.toString()
}

/** The moment so many milliseconds from now, as clients write it. */
export function in_ms(duration_ms: number): string {
  return new Date(Date.now() + duration_ms).toISOString()
}
