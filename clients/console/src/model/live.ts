import { fieldOf, textIn } from './auditEntry.js'
import { leavesOf, stepsOf } from './diffLeaves.js'
import { fieldName } from './fieldNames.js'

/** What clients keep in live servers and live pages in forms of their own, which the hub does not look into. */

/** The scripts of a list, each with what is said of when it runs. What is none that is known is shown as it is. */
export const scriptsIn = (list: readonly unknown[]) =>
  list.map((one, index) => {
    const source = textIn(one, 'source', 'code', 'script')
    return {
      name: textIn(one, 'name') ?? `Script ${index + 1}`,
      when: textIn(one, 'runAt')?.replaceAll('-', ' ') ?? '',
      isOn: isOn(one),
      source: source ?? (typeof one === 'string' ? one : (JSON.stringify(one, null, 2) ?? ''))
    }
  })

/**
 * The names and values of a list: of a variable without a value the default; one that is not to be shared is secret, whatever it is
 * called. What has no name is left out.
 */
export const pairsIn = (list: readonly unknown[]) =>
  list.flatMap((one) => {
    const key = textIn(one, 'key', 'name')
    if (key === null) return []
    const isSecret = fieldOf(one, 'share') === false && { isSecret: true as const }
    return [{ key, value: textIn(one, 'value', 'defaultValue') ?? '', enabled: isOn(one), ...isSecret }]
  })

/** How somebody says who asks: its type, and what is filled in of it. Null where nobody does. */
export function authIn(auth: unknown) {
  const type = textIn(auth, 'type')
  if (type === null || type === 'none') return null
  const filled = fieldOf(auth, type)
  const pairs = [...leavesOf({ path: '', to: filled })].flatMap(({ path, to }) => {
    const isTold = (typeof to === 'string' && to !== '') || typeof to === 'number'
    return isTold ? [{ key: fieldName(stepsOf(path).join('/')), value: String(to), enabled: true }] : []
  })
  return { type, pairs }
}

const isOn = (one: unknown): boolean => fieldOf(one, 'enabled') !== false

/** Where a live server is to be reached; any port that is free where none is chosen. */
export function addressOf(server: {
  readonly host: string
  readonly port: number | null
  readonly ssl: { readonly enabled: boolean }
}): string {
  const { host, port, ssl } = server
  const shown = host.includes(':') ? `[${host}]` : host
  return `${ssl.enabled ? 'https' : 'http'}://${shown}${port === null ? ', on a port that is free' : `:${port}`}`
}
