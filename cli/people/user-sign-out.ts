import { Option } from 'clipanion'
import { isInForce } from '../../projections/tokens.js'
import { listTokens, sessionsAmong } from '../../queries/callers.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { timeText } from '../../src/lib/clock.js'
import { counted, LedgerCommand, TERMINAL_YES_HELP, usage } from '../lib/command.js'
import { changeableUser } from '../lib/names.js'

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
    const all = await listTokens(readModel, userId)
    const inForce = all.filter((row) => isInForce(row, at))
    return this.allTokens ? inForce.length : (await sessionsAmong(readModel, inForce)).size
  }
}
