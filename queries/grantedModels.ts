import type { Account } from '../commands/people/user/events.js'

/**
 * What of the models that accounts are granted is not on offer, a sentence for each id, and how many accounts have no model left.
 * `offered` are the ids on offer; null where no LLM is configured and nothing is judged.
 */
export function grantWarnings(
  accounts: Iterable<Pick<Account, 'llmAccess' | 'llmModels'>>,
  offered: ReadonlySet<string> | null
): readonly string[] {
  if (!offered) return []
  const granted = new Map<string, number>()
  let without = 0
  for (const { llmAccess, llmModels } of accounts) {
    if (!llmAccess) continue
    const gone = llmModels.filter((id) => id !== '*' && !offered.has(id))
    for (const id of new Set(gone)) granted.set(id, (granted.get(id) ?? 0) + 1)
    if (gone.length === llmModels.length) without++
  }
  return [
    ...[...granted].map(([id, count]) => `${id} is granted to ${accountsOf(count)}, and is not offered.`),
    ...(without > 0 ? [`${accountsOf(without)} may use models, and none that is offered: see \`hub user list\`.`] : [])
  ]
}

function accountsOf(count: number): string {
  return count === 1 ? '1 account' : `${count} accounts`
}
