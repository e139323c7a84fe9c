import { Command } from 'clipanion'
import { z } from 'zod'
import { statusOf } from '../commands/invitation/decide.js'
import { usersTable } from '../projections/users.js'
import { invitationRecord, listInvitations } from '../queries/invitations.js'
import { AnsweringCommand } from './command.js'

const shown = z.object({ codePrefix: z.string() })

/** `hub user invite list`: every invitation with its state, the newest first. */
export class UserInviteListCommand extends AnsweringCommand {
  static override readonly paths = [['user', 'invite', 'list']]
  static override readonly usage = Command.Usage({
    category: 'Invitations',
    description: 'List invitations, the newest first; never their secrets'
  })

  protected run(): Promise<void> {
    return this.withLedger(async ({ view }) => {
      const now = new Date().toISOString()
      const rows = await listInvitations(view)
      if (this.json) return this.printJson({ invitations: rows.map((row) => JSON.parse(invitationRecord(row, now))) })
      if (rows.length === 0) return this.print('No invitations found.')
      const users = await view.getAll(usersTable, [...new Set(rows.map(({ userId }) => userId))])
      const names = new Map(users.map(({ id, name }) => [id, name]))
      for (const row of rows) {
        const { codePrefix } = shown.parse(JSON.parse(row.body))
        this.print(
          `${row.id}  ${names.get(row.userId) ?? row.userId}  ${codePrefix}  ${statusOf(row, now)}`,
          `  expires: ${row.expiresAt}`
        )
      }
    })
  }
}
