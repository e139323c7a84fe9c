import { Option } from 'clipanion'
import { isInForce } from '../../commands/people/token/table.js'
import { GRANT_ROLES } from '../../commands/people/user/events.js'
import { LOCKABLES } from '../../commands/records/kinds.js'
import { sessionsAmong, tokenParts } from '../../queries/callers.js'
import { userRecord } from '../../queries/users.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { timeText } from '../../src/lib/clock.js'
import { counted, LedgerCommand, TERMINAL_YES_HELP, usage } from '../lib/command.js'
import { UsageError } from '../lib/errors.js'
import { changeableUser, currentUser } from '../lib/names.js'
import { oneOfValue } from '../lib/option-values.js'
import { recordId } from '../lib/record-names.js'

export class UserDisableCommand extends LedgerCommand {
  static override readonly usage = usage('user disable', {
    description: 'Let nothing in as an account, from the next request on',
    details:
      'Its tokens and sessions are refused, and streams end. What it has stays: `hub user enable` lets it in again.',
    examples: [['Somebody who is away for long', '$0 user disable ada']]
  })

  readonly named = Option.String({ name: 'user' })
  readonly yes = Option.Boolean('--yes', false, { description: TERMINAL_YES_HELP })

  protected async on(ledger: Ledger): Promise<void> {
    const { id, name } = await changeableUser(ledger, this.named)
    await this.confirmAtTerminal(`Disable user "${name}"?`, this.yes)
    await ledger.run({ type: 'DisableUser', id, by: 'administrator' }, systemOrigin)
    this.answer(JSON.parse(userRecord(await currentUser(ledger, id))), `Disabled user "${name}" (${id}).`)
  }
}

export class UserEnableCommand extends LedgerCommand {
  static override readonly usage = usage('user enable', {
    description: 'Let a disabled account in again',
    examples: [['By its name', '$0 user enable ada']]
  })

  readonly named = Option.String({ name: 'user' })

  protected async on(ledger: Ledger): Promise<void> {
    const { id, name } = await changeableUser(ledger, this.named)
    await ledger.run({ type: 'EnableUser', id }, systemOrigin)
    this.answer(JSON.parse(userRecord(await currentUser(ledger, id))), `Enabled user "${name}" (${id}).`)
  }
}

export class UserSignOutCommand extends LedgerCommand {
  static override readonly usage = usage('user sign-out', {
    description: 'End all sessions of an account in browsers, from the next request on',
    details:
      'Tokens that were issued stay, unless --all-tokens revokes them as well. Who may sign in can do so again: see `hub user disable`.',
    examples: [
      ['Somebody who has lost a laptop', '$0 user sign-out ada'],
      ['With every token of programs and desktops', '$0 user sign-out ada --all-tokens'],
      ['Without being asked on a terminal', '$0 user sign-out ada --yes']
    ]
  })

  readonly named = Option.String({ name: 'user' })
  readonly allTokens = Option.Boolean('--all-tokens', false, { description: 'Revoke every token that is in force' })
  readonly yes = Option.Boolean('--yes', false, { description: TERMINAL_YES_HELP })

  protected async on(ledger: Ledger): Promise<void> {
    const { id, name } = await changeableUser(ledger, this.named)
    const ending = await this.#ending(ledger, id)
    const what = counted(ending, this.allTokens ? 'token' : 'session')
    await this.confirmAtTerminal(`${this.allTokens ? 'Revoke' : 'End'} ${what} of user "${name}"?`, this.yes)
    await ledger.run({ type: 'RevokeTokensOf', userId: id, which: this.allTokens ? 'all' : 'sessions' }, systemOrigin)
    this.answer({ id, name, revoked: ending }, `Signed user "${name}" (${id}) out: ${what} revoked.`)
  }

  /** How many tokens end by it. */
  async #ending({ readModel, now }: Ledger, userId: string): Promise<number> {
    const at = timeText(now())
    let ending = 0
    for await (const part of tokenParts(readModel, userId)) {
      const inForce = part.filter((row) => isInForce(row, at))
      ending += this.allTokens ? inForce.length : (await sessionsAmong(readModel, inForce)).size
    }
    return ending
  }
}

const GIVEN = [...GRANT_ROLES, 'none'] as const

export class UserGrantCommand extends LedgerCommand {
  static override readonly usage = usage('user grant', {
    description: 'Give an account a role on one record, beside its access lists',
    details:
      'A viewer looks at it, an editor changes it, a manager of a collection shares it with others as well; `none` takes it back.',
    examples: [
      ['Look at a collection', '$0 user grant ada Payments --role viewer'],
      ['Change an environment', '$0 user grant ada Staging --kind environment --role editor'],
      ['No more', '$0 user grant ada Payments --role none']
    ]
  })

  readonly named = Option.String({ name: 'user' })
  readonly record = Option.String({ name: 'record' })
  readonly kind = Option.String('--kind', 'collection', { description: `<KIND> What it is: ${LOCKABLES.join(', ')}` })
  readonly role = Option.String('--role', { description: `<ROLE> ${GIVEN.join(', ')}` })

  protected async on(ledger: Ledger): Promise<void> {
    if (this.role === undefined) throw new UsageError('Option --role is required.')
    const given = oneOfValue('--role', this.role, GIVEN)
    const kind = oneOfValue('--kind', this.kind, LOCKABLES)
    const { id: userId, name } = await changeableUser(ledger, this.named)
    const id = await recordId(ledger, kind, this.record, 'live')
    const role = given === 'none' ? null : given
    await ledger.run({ type: 'GrantAccess', userId, kind, id, role }, systemOrigin)
    const told = role === null ? `"${name}" has no role on ${kind} ${id}.` : `"${name}" is ${role} of ${kind} ${id}.`
    this.answer(JSON.parse(userRecord(await currentUser(ledger, userId))), told)
  }
}
