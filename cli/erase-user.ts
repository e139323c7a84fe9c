import { Command, Option } from 'clipanion'
import { invitationsTable } from '../projections/invitations.js'
import { tokensTable } from '../projections/tokens.js'
import { usersTable } from '../projections/users.js'
import { carryOut, type Plan, planAccount, planPerson } from '../src/erasure/erase.js'
import { type Ledger, systemOrigin } from '../src/ledger.js'
import { counted } from './command.js'
import { amount, amountText, EraseCommand } from './erase.js'
import { actorId } from './log-names.js'
import { changeableUser } from './names.js'

export class EraseUserCommand extends EraseCommand {
  static override readonly paths = [['erase', 'user']]
  static override readonly usage = Command.Usage({
    description: 'Delete an account, and erase from the log what happened to it, its name and its addresses',
    details: `
      Without \`--yes\` it only lists the steps and how much each would take away; on a terminal it asks then. Somebody who
      is gone already is found by an old name. What the person made stays, without a name on it. Backups and the files of
      \`logging\` are not touched: they go when you delete them.
    `,
    examples: [
      ['What that would be', '$0 erase user ada'],
      ['All of it', '$0 erase user ada --yes']
    ]
  })

  readonly named = Option.String({ name: 'user' })

  protected run(): Promise<void> {
    return this.withLedger(async (ledger) => {
      const person = await erasable(ledger, this.named)
      const { id, name, isThere } = person
      const plan = await planPerson(ledger, id)
      const isMeant = await this.isMeant(`Erase ${name} for ever?`, [
        ...steps(person, plan),
        `Would erase ${amountText(plan)}, for ever.`
      ])
      if (isMeant && isThere) await ledger.run({ type: 'DeleteUser', id }, systemOrigin)
      const done = isMeant ? await planAccount(ledger, id) : plan
      if (isMeant) await carryOut(ledger, done)
      const { tokens, invitations } = person
      const held = { deletes: isThere, tokens, invitations }
      if (this.json) return this.printJson({ kind: 'user', id, ...held, ...amount(done), erased: isMeant })
      if (isMeant) this.print(...(isThere ? [`Deleted user ${name} (${id}).`] : []), `Erased ${amountText(done)}.`)
    })
  }
}

/**
 * Who is to be erased: by the name in quotes, or by the id where the account is not there any more. Throws a `CliError` where
 * there is nobody, and for the system account.
 */
async function erasable(ledger: Ledger, text: string) {
  const { view } = ledger
  const id = await actorId(ledger, text)
  const row = await view.get(usersTable, id)
  if (row) await changeableUser(ledger, id)
  const tokens = await view.count(tokensTable, 'byUser', [id])
  const invitations = await view.count(invitationsTable, 'byUser', [id])
  return { id, name: row ? `"${row.name}"` : id, isThere: row !== null, tokens, invitations }
}

type Person = Awaited<ReturnType<typeof erasable>>

function steps({ id, name, isThere, tokens, invitations }: Person, { payloads, names, mentions = [] }: Plan) {
  const held = `${counted(tokens, 'token')} and ${counted(invitations, 'invitation')}`
  return [
    `Erasing ${isThere ? `${name} (${id})` : id}:`,
    isThere ? `  1. delete the account with ${held}` : '  1. the account is deleted already',
    `  2. erase what the log says of the account and its tokens, in ${counted(payloads.length, 'event')}`,
    `  3. erase its name and address where it acted, in ${counted(names.length, 'event')}`,
    `  4. erase them where others searched the log for them, or commands were given under the name on the host, in ${counted(mentions.length, 'event')}`
  ]
}
