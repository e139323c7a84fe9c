import { Option } from 'clipanion'
import { AVATAR_COLORS, type AvatarChanges } from '../../commands/people/avatar/avatar.js'
import { ACCESS_LISTS, type Account } from '../../commands/people/user/events.js'
import { nounOf } from '../../commands/records/kind.js'
import { lockables } from '../../commands/records/kinds.js'
import { avatarOf } from '../../queries/avatars.js'
import { accountOf, type UserRow } from '../../queries/callers.js'
import { errors } from '../../src/errors.js'
import type { ReadStore } from '../../src/storage/storage.js'
import { AnsweringCommand } from './command.js'
import { accessValue, initialsValue, monthlyTokensValue, nameValue, oneOfValue, roleValue } from './option-values.js'
import { idOrText } from './record-names.js'
import { block, type Texts } from './table.js'

/** What options say about an account; absent where an option was not given. */
export type AccountChanges = Partial<Readonly<Account>>

const accessOption = (name: string, what: string) =>
  Option.Array(name, {
    description: `${what} that the account may use: an id or a name, or "*" alone for all, or "none"; repeatable`
  })

/** A command with the options that describe an account. */
export abstract class AccountCommand extends AnsweringCommand {
  readonly name = Option.String('--name', { description: '<NAME> Name, unlike that of any other account' })
  readonly role = Option.String('--role', { description: '<ROLE> "user" for desktop clients, "admin" for operators' })
  readonly collectionAccess = accessOption('--collection-access', '<COLLECTION> Collections')
  readonly environmentAccess = accessOption('--environment-access', '<ENVIRONMENT> Environments')
  readonly snippetAccess = accessOption('--snippet-access', '<SNIPPET> Snippets')
  readonly liveServerAccess = accessOption('--live-server-access', '<SERVER> Live servers')
  readonly livePageAccess = accessOption('--live-page-access', '<PAGE> Live pages')
  readonly llmAccess = Option.Boolean('--llm-access', {
    description: 'Allow the LLM routes; --no-llm-access takes them away'
  })
  readonly llmModels = Option.Array('--llm-model', {
    description: `<MODEL> LLM models that the account may use: an id, or "*" alone for all, or "none"; repeatable`
  })
  readonly llmMonthlyTokens = Option.String('--llm-monthly-tokens', {
    description: '<COUNT> LLM tokens that the account may use in a month: a number, or "unlimited"'
  })
  readonly avatarInitials = Option.String('--avatar-initials', {
    description: '<LETTERS> One or two letters that stand for the account'
  })
  readonly avatarColor = Option.String('--avatar-color', {
    description: `<COLOR> Their colour: ${AVATAR_COLORS.join(', ')}`
  })

  /** What the options say of what stands for the account. Throws a `CliError` with the first that is wrong. */
  protected avatar(): AvatarChanges {
    const { avatarInitials, avatarColor } = this
    return {
      ...(avatarInitials !== undefined && { initials: initialsValue(avatarInitials) }),
      ...(avatarColor !== undefined && { color: oneOfValue('--avatar-color', avatarColor, AVATAR_COLORS) })
    }
  }

  /** Reads the options that were given. Throws a `CliError` with the first that is wrong. */
  protected changes(): AccountChanges {
    const { name, role, collectionAccess, environmentAccess, snippetAccess, liveServerAccess, livePageAccess } = this
    const { llmModels, llmMonthlyTokens } = this
    return {
      ...(name !== undefined && { name: nameValue(name) }),
      ...(role !== undefined && { role: roleValue(role) }),
      ...(collectionAccess && { collectionAccess: accessValue('--collection-access', collectionAccess) }),
      ...(environmentAccess && { environmentAccess: accessValue('--environment-access', environmentAccess) }),
      ...(snippetAccess && { snippetAccess: accessValue('--snippet-access', snippetAccess) }),
      ...(liveServerAccess && { liveServerAccess: accessValue('--live-server-access', liveServerAccess) }),
      ...(livePageAccess && { livePageAccess: accessValue('--live-page-access', livePageAccess) }),
      ...(this.llmAccess !== undefined && { llmAccess: this.llmAccess }),
      ...(llmModels && { llmModels: accessValue('--llm-model', llmModels) }),
      ...(llmMonthlyTokens !== undefined && { llmMonthlyTokenLimit: monthlyTokensValue(llmMonthlyTokens) })
    }
  }

  /**
   * The same account with ids where its access lists have names of records. What is neither an id nor a name stays, for the
   * refusal that it will get. Throws a `CliError` where several go by a name.
   */
  protected async withIds<A extends AccountChanges>(readModel: ReadStore, account: A): Promise<A> {
    let withIds = account
    for (const { kind, access } of lockables) {
      const ids = new Set<string>()
      for (const entry of account[access] ?? []) ids.add(await idOrText(readModel, kind, entry))
      if (account[access]) withIds = { ...withIds, [access]: [...ids] }
    }
    return withIds
  }
}

/** Refuses options that give an administrator access: such accounts have none, and dropping them would hide a mistake. */
export function requireNoAccess(changes: AccountChanges): void {
  if (ACCESS_LISTS.some((list) => (changes[list] ?? []).length > 0)) throw errors.adminAccess()
  const { llmAccess = false, llmModels = [], llmMonthlyTokenLimit = null } = changes
  if (llmAccess || llmModels.length > 0 || llmMonthlyTokenLimit !== null) throw errors.adminLlmAccess()
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

function entries(list: readonly string[]): string {
  return list.join(', ') || '-'
}
