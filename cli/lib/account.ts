import { Option } from 'clipanion'
import { AVATAR_COLORS, type AvatarChanges } from '../../commands/people/avatar/avatar.js'
import { grantsOf } from '../../commands/people/grant/grants.js'
import { ACCESS_LISTS, type Account, type Grant } from '../../commands/people/user/events.js'
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

type Used = Omit<Account, 'name' | 'role'>

/** A command with the options that say what an account, or a group for its members, may use. */
export abstract class UseCommand extends AnsweringCommand {
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
  /** Reads those options that were given. Throws a `CliError` with the first that is wrong. */
  protected used(): Partial<Readonly<Used>> {
    const { collectionAccess, environmentAccess, snippetAccess, liveServerAccess, livePageAccess } = this
    const { llmModels, llmMonthlyTokens } = this
    return {
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
   * The same with ids where its access lists have names of records. What is neither an id nor a name stays, for the
   * refusal that it will get. Throws a `CliError` where several go by a name.
   */
  protected async withIds<A extends Partial<Readonly<Used>>>(readModel: ReadStore, account: A): Promise<A> {
    let withIds = account
    for (const { kind, access } of lockables) {
      const ids = new Set<string>()
      for (const entry of account[access] ?? []) ids.add(await idOrText(readModel, kind, entry))
      if (account[access]) withIds = { ...withIds, [access]: [...ids] }
    }
    return withIds
  }
}

/** A command with the options that describe an account. */
export abstract class AccountCommand extends UseCommand {
  readonly name = Option.String('--name', { description: '<NAME> Name, unlike that of any other account' })
  readonly role = Option.String('--role', {
    description:
      '<ROLE> "user" for desktop clients, "admin" for operators, "accountAdmin" for who manages users alone, "auditor" for who reads the audit'
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
    const { name, role } = this
    return {
      ...(name !== undefined && { name: nameValue(name) }),
      ...(role !== undefined && { role: roleValue(role) }),
      ...this.used()
    }
  }
}

/** Refuses options that give an administrator access: such accounts have none, and dropping them would hide a mistake. */
export function requireNoAccess(changes: AccountChanges): void {
  if (ACCESS_LISTS.some((list) => (changes[list] ?? []).length > 0)) throw errors.adminAccess()
  const { llmAccess = false, llmModels = [], llmMonthlyTokenLimit = null } = changes
  if (llmAccess || llmModels.length > 0 || llmMonthlyTokenLimit !== null) throw errors.adminLlmAccess()
}

/** An account as a block of lines, with what it has used where that is given. */
export function userBlock(row: UserRow, more: Readonly<Record<string, string | number>> = {}): Texts {
  const { name, role, ...used } = accountOf(row)
  const grants = grantsOf(row)
  return block({
    ...{ id: row.id, name, role, avatar: avatarText(row) },
    ...(row.isService && { service: 'yes' }),
    ...(row.disabledAt !== null && { disabled: row.disabledAt }),
    ...usedFields(used),
    ...(grants.length > 0 && { grants: grantsText(grants) }),
    ...more,
    ...{ created: row.createdAt, updated: row.updatedAt }
  })
}

/** What an account or a group may use, as fields of a block. */
export function usedFields({ llmAccess, llmModels, llmMonthlyTokenLimit, ...lists }: Used) {
  return {
    ...Object.fromEntries(lockables.map((kind) => [`${nounOf(kind)} access`, entries(lists[kind.access])])),
    'llm access': llmAccess ? 'enabled' : 'disabled',
    'llm models': entries(llmModels),
    'llm monthly tokens': llmMonthlyTokenLimit ?? 'unlimited'
  }
}

/** Grants on a line. */
export function grantsText(grants: readonly Grant[]): string {
  return grants.map(({ kind, id, role }) => `${role} of ${kind} ${id}`).join(', ')
}

/** What stands for an account: whether there is an image, not where. */
function avatarText(row: UserRow): string {
  const { initials, color, imageUrl } = avatarOf(row)
  return [initials, color, ...(imageUrl === undefined ? [] : ['image'])].join(', ')
}

function entries(list: readonly string[]): string {
  return list.join(', ') || '-'
}
