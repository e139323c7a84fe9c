import { Command, Option } from 'clipanion'
import { nounOf } from '../commands/kind.js'
import { lockables } from '../commands/kinds.js'
import { avatarOf } from '../queries/avatars.js'
import { accountOf, type UserRow } from '../queries/callers.js'
import { tokensUsed } from '../queries/llm.js'
import { listUsers, staleAccess, userRecord } from '../queries/users.js'
import type { Ledger } from '../src/ledger.js'
import { offeredIds } from '../src/llm/catalog.js'
import type { ReadStore } from '../src/storage/storage.js'
import { LedgerCommand } from './command.js'
import { userNamed } from './names.js'
import { block, type Texts } from './table.js'

export class UserListCommand extends LedgerCommand {
  static override readonly paths = [['user', 'list']]
  static override readonly usage = Command.Usage({
    description: 'List the accounts by name, and warn of access to what is gone',
    examples: [
      ['Everybody', '$0 user list'],
      ['For a script', '$0 user list --json']
    ]
  })

  protected async on({ view }: Ledger): Promise<void> {
    const rows = await listUsers(view)
    const warnings = await staleAccess(view, rows, offeredIds(this.config()))
    if (this.json) {
      const users = rows.map((row) => ({ ...JSON.parse(userRecord(row)), warnings: warnings.get(row.id) ?? [] }))
      return this.printJson({ users })
    }
    if (rows.length === 0) return this.print('No users found.')
    const blocks: string[] = []
    for (const row of rows) blocks.push(...userBlock(row, await usageOf(view, row.id)))
    this.printList(
      ['id', 'name', 'role', ...lockables.map((kind) => `${nounOf(kind)}s`), 'llm'],
      rows.map(userCells),
      blocks
    )
    for (const row of rows)
      for (const warning of warnings.get(row.id) ?? []) this.warn(`Warning: ${row.name} (${row.id}): ${warning}`)
  }
}

export class UserShowCommand extends LedgerCommand {
  static override readonly paths = [['user', 'show']]
  static override readonly usage = Command.Usage({
    description: 'Show one account',
    examples: [['By its name', '$0 user show ada']]
  })

  readonly named = Option.String({ name: 'user' })

  protected async on({ view }: Ledger): Promise<void> {
    const row = await userNamed(view, this.named)
    this.answer(JSON.parse(userRecord(row)), ...userBlock(row, await usageOf(view, row.id)))
  }
}

/** What an account has spent of its LLM tokens in this UTC month, as a field of its block. */
async function usageOf(read: ReadStore, userId: string) {
  const period = new Date().toISOString().slice(0, 'yyyy-mm'.length)
  return { [`llm tokens used (${period})`]: await tokensUsed(read, userId, period) }
}

/** An account as a block of lines, with what it has used where that is given. */
export function userBlock(row: UserRow, usage: Readonly<Record<string, number>> = {}): Texts {
  const { name, role, llmAccess, llmModels, llmMonthlyTokenLimit, ...lists } = accountOf(row)
  return block({
    ...{ id: row.id, name, role, avatar: avatarText(row) },
    ...Object.fromEntries(lockables.map((kind) => [`${nounOf(kind)} access`, entries(lists[kind.access])])),
    'llm access': llmAccess ? 'enabled' : 'disabled',
    'llm models': entries(llmModels),
    'llm monthly tokens': llmMonthlyTokenLimit ?? 'unlimited',
    ...usage,
    ...{ created: row.createdAt, updated: row.updatedAt }
  })
}

/** What stands for an account: whether there is an image, not where. */
function avatarText(row: UserRow): string {
  const { initials, color, imageUrl } = avatarOf(row)
  return [initials, color, ...(imageUrl === undefined ? [] : ['image'])].join(', ')
}

/** An account as a row of a table: access lists by how long they are. */
function userCells(row: UserRow): Texts {
  const account = accountOf(row)
  const size = (list: readonly string[]) => (list.includes('*') ? 'all' : list.length === 0 ? '-' : String(list.length))
  const lists = lockables.map(({ access }) => size(account[access]))
  return [row.id, account.name, account.role, ...lists, account.llmAccess ? size(account.llmModels) : '-']
}

function entries(list: readonly string[]): string {
  return list.join(', ') || '-'
}
