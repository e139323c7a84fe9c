import { counted } from './numbers.js'
import type { Spend } from './people.js'
import { money } from './usage.js'

/** What was spent, as people say it; a cost that nobody knows is told as the tokens that were used. */
export function spendInWords(spend: Spend | null): string {
  if (!spend || spend.steps === 0) return 'nothing'
  return spend.cost === null ? counted(spend.totalTokens, 'token') : money(spend.cost)
}
