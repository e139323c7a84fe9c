import { isInForce, tokensTable } from '../../commands/people/token/table.js'
import { nameOf } from '../../commands/record.js'
import { sessionsAmong, tokenParts } from '../../queries/callers.js'
import { timeText } from '../lib/clock.js'
import { type Check, ok, warning } from './check.js'
import type { ContentPorts } from './doctorPorts.js'

const SOON_MS = 7 * 86_400_000
/** More are not named one by one. */
const NAMED_MAX = 20

/**
 * No token that is in use ends within a week: whoever uses it then finds the door closed. Sessions of browsers always end within days,
 * and whoever uses one signs in again.
 */
export const tokenEnds: Check<ContentPorts> = {
  name: 'tokens',
  isAboutContents: true,
  async run({ storage, now }) {
    const { rows, head } = await storage()
    const live = rows((await head()).generation)
    const [today, soon] = [timeText(now()), timeText(now() + SOON_MS)]
    const ending: string[] = []
    for await (const part of tokenParts(live)) {
      const inTime = part.filter((row) => isInForce(row, today) && (row.expiresAt ?? '~') <= soon)
      const sessions = await sessionsAmong(live, inTime)
      for (const { id } of inTime) if (!sessions.has(id)) ending.push(id)
    }
    if (ending.length === 0) return ok('No token ends within a week.')
    const shown = await live.getPage(tokensTable, ending.slice(0, NAMED_MAX))
    const named = shown.map((row) => {
      const text = `The token "${nameOf(row)}" (${row.prefix}) ends at ${row.expiresAt}.`
      return warning(text, `If it is still needed, run \`hub user token rotate ${row.prefix}\`.`, { subject: row.id })
    })
    const more = ending.length - named.length
    if (more === 0) return named
    return [...named, warning(`${more} more end within a week.`, 'See `hub user token list --expiring 7d`.')]
  }
}
