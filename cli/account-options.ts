import { Option } from 'clipanion'
import { ACCESS_LISTS, type Account } from '../commands/user/events.js'
import { errors } from '../src/errors.js'
import { AnsweringCommand } from './command.js'
import { accessValue, monthlyTokensValue, nameValue, roleValue } from './option-values.js'

/** What options say about an account; absent where an option was not given. */
export type AccountChanges = Partial<Readonly<Account>>

const repeatable = 'an id, or "*" alone for all, or "none"; repeatable'

/** A command with the options that describe an account. */
export abstract class AccountCommand extends AnsweringCommand {
  readonly name = Option.String('--name', { description: 'Name, unlike that of any other account' })
  readonly role = Option.String('--role', { description: '"user" for desktop clients, "admin" for operators' })
  readonly collectionAccess = Option.Array('--collection-access', {
    description: `Collections that the account may use: ${repeatable}`
  })
  readonly environmentAccess = Option.Array('--environment-access', {
    description: `Environments that the account may use: ${repeatable}`
  })
  readonly snippetAccess = Option.Array('--snippet-access', {
    description: `Snippets that the account may use: ${repeatable}`
  })
  readonly llmAccess = Option.Boolean('--llm-access', {
    description: 'Allow the LLM routes; --no-llm-access takes them away'
  })
  readonly llmModels = Option.Array('--llm-model', {
    description: `LLM models that the account may use: ${repeatable}`
  })
  readonly llmMonthlyTokens = Option.String('--llm-monthly-tokens', {
    description: 'LLM tokens that the account may use in a month: a number, or "unlimited"'
  })

  /** Reads the options that were given. Throws a `CliError` with the first that is wrong. */
  protected changes(): AccountChanges {
    const { name, role, collectionAccess, environmentAccess, snippetAccess, llmModels, llmMonthlyTokens } = this
    return {
      ...(name !== undefined && { name: nameValue(name) }),
      ...(role !== undefined && { role: roleValue(role) }),
      ...(collectionAccess && { collectionAccess: accessValue('--collection-access', collectionAccess) }),
      ...(environmentAccess && { environmentAccess: accessValue('--environment-access', environmentAccess) }),
      ...(snippetAccess && { snippetAccess: accessValue('--snippet-access', snippetAccess) }),
      ...(this.llmAccess !== undefined && { llmAccess: this.llmAccess }),
      ...(llmModels && { llmModels: accessValue('--llm-model', llmModels) }),
      ...(llmMonthlyTokens !== undefined && { llmMonthlyTokenLimit: monthlyTokensValue(llmMonthlyTokens) })
    }
  }
}

/** Refuses options that give an administrator access: such accounts have none, and dropping them would hide a mistake. */
export function requireNoAccess(changes: AccountChanges): void {
  if (ACCESS_LISTS.some((list) => (changes[list] ?? []).length > 0)) throw errors.adminAccess()
  const { llmAccess = false, llmModels = [], llmMonthlyTokenLimit = null } = changes
  if (llmAccess || llmModels.length > 0 || llmMonthlyTokenLimit !== null) throw errors.adminLlmAccess()
}
