import { ACCESS_LISTS } from '../commands/user/events.js'
import type { FirstAdmin } from '../src/start.js'

const JSON_TYPE = `-H 'Content-Type: application/json'`
const EVERYTHING = ACCESS_LISTS.map((list) => `"${list}":["*"]`).join(',')

/**
 * What to try on a new hub, as lines that work when they are pasted into a POSIX shell one after another, and a second time too:
 * the user is made once.
 */
export function firstSteps(url: string, { name, secret }: FirstAdmin): readonly string[] {
  const as = (variable: string) => `-H "Authorization: Bearer $${variable}"`
  return [
    `Created the administrator "${name}". Store its token, HUB_ADMIN below, now; it will not be shown again.`,
    'To try the hub, paste these lines into another terminal:',
    '',
    `HUB_URL=${url}`,
    `HUB_ADMIN=${secret}`,
    `curl -s "$HUB_URL/health"; echo`,
    `curl -s "$HUB_URL/auth/session" ${as('HUB_ADMIN')}; echo`,
    `[ -n "\${HUB_USER:-}" ] || HUB_USER=$(curl -s "$HUB_URL/admin/users" ${as('HUB_ADMIN')} ${JSON_TYPE} -d '{"name":"alice","role":"user",${EVERYTHING}}' | sed -n 's/.*"secret":"\\([^"]*\\)".*/\\1/p'); echo "$HUB_USER"`,
    `curl -s "$HUB_URL/collections" ${as('HUB_USER')} ${JSON_TYPE} -d '{"name":"First collection"}'; echo`,
    ''
  ]
}
