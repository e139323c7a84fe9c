import { ACCESS_LISTS } from '../commands/user/events.js'
import type { FirstAdmin } from '../src/start.js'

const JSON_TYPE = `-H 'Content-Type: application/json'`
const EVERYTHING = ACCESS_LISTS.map((list) => `"${list}":["*"]`).join(',')

/** What takes the secret, and the id of alice, out of an answer. */
const SECRET = `sed -n 's/.*"secret":"\\([^"]*\\)".*/\\1/p'`
const ALICE_ID = `sed -n 's/.*"id":"\\([^"]*\\)","name":"alice".*/\\1/p'`

/**
 * What to try on a new hub, as lines that work when they are pasted into bash, zsh or another POSIX shell one after another, and
 * again, also into another terminal: a token that works is kept, else alice gets a new one, who is made once.
 */
export function firstSteps(url: string, { name, secret }: FirstAdmin): readonly string[] {
  const as = (variable: string) => `-H "Authorization: Bearer $${variable}"`
  const users = `curl -s "$HUB_URL/admin/users`
  const admin = as('HUB_ADMIN')
  return [
    `Created the administrator "${name}". Store its token, HUB_ADMIN below, now; it will not be shown again.`,
    'To try the hub, paste these lines into another terminal:',
    '',
    `HUB_URL=${url}`,
    `HUB_ADMIN=${secret}`,
    `curl -s "$HUB_URL/health"; echo`,
    `curl -s "$HUB_URL/auth/session" ${admin}; echo`,
    `if [ -z "\${HUB_USER:-}" ] || ! curl -sfo /dev/null "$HUB_URL/auth/session" ${as('HUB_USER')}; then`,
    `HUB_USER=$(${users}" ${admin} ${JSON_TYPE} -d '{"name":"alice","role":"user",${EVERYTHING}}' | ${SECRET}); fi`,
    `if [ -z "$HUB_USER" ]; then ALICE=$(${users}" ${admin} | ${ALICE_ID})`,
    `HUB_USER=$(${users}/$ALICE/tokens" ${admin} ${JSON_TYPE} -d '{"name":"another terminal"}' | ${SECRET}); fi`,
    `echo "$HUB_USER"`,
    `curl -s "$HUB_URL/collections" ${as('HUB_USER')} ${JSON_TYPE} -d '{"name":"First collection"}'; echo`,
    ''
  ]
}
