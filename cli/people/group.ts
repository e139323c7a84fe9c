import { randomUUID } from 'node:crypto'
import { Option } from 'clipanion'
import type { Group } from '../../commands/people/group/events.js'
import { groupIn } from '../../commands/people/group/membership.js'
import { groupsTable } from '../../commands/people/group/table.js'
import { noAccess } from '../../commands/people/user/events.js'
import { nameOf } from '../../commands/record.js'
import { type GroupRow, groupRecord } from '../../queries/groups.js'
import { membersOf } from '../../src/directory/members.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { grantsText, UseCommand, usedFields } from '../lib/account.js'
import { counted, LedgerCommand, TERMINAL_YES_HELP, usage } from '../lib/command.js'
import { UsageError } from '../lib/errors.js'
import { changeableUser, currentGroup, groupNamed } from '../lib/names.js'
import { nameValue } from '../lib/option-values.js'
import { block, type Texts } from '../lib/table.js'

export class GroupListCommand extends LedgerCommand {
  static override readonly usage = usage('group list', {
    description: 'List the groups by name',
    examples: [['For a script', '$0 group list --json']]
  })

  protected async on({ readModel }: Ledger): Promise<void> {
    const rows = await readModel.list(groupsTable, 'byName', [])
    if (this.json) return this.printJson({ groups: rows.map((row) => JSON.parse(groupRecord(row))) })
    if (rows.length === 0) return this.print('No groups found.')
    const members = await Promise.all(rows.map(async ({ id }) => String((await membersOf(readModel, id)).length)))
    this.printList(
      ['id', 'name', 'members'],
      rows.map((row, i) => [row.id, nameOf(row), members[i] ?? '']),
      rows.flatMap((row) => groupBlock(row))
    )
  }
}

export class GroupShowCommand extends LedgerCommand {
  static override readonly usage = usage('group show', {
    description: 'Show one group, and who is in it',
    examples: [['By its name', '$0 group show Payments']]
  })

  readonly named = Option.String({ name: 'group' })

  protected async on({ readModel }: Ledger): Promise<void> {
    const row = await groupNamed(readModel, this.named)
    const members = await membersOf(readModel, row.id)
    const told = members.map(({ name, by, rule }) => `    ${name} (${rule ?? by})`)
    this.answer({ ...JSON.parse(groupRecord(row)), members }, ...groupBlock(row), '  members:', ...told)
  }
}

export class GroupCreateCommand extends UseCommand {
  static override readonly usage = usage('group create', {
    description: 'Make a group, whose members may use what the options say',
    examples: [
      [
        'Of those who work on two collections',
        '$0 group create --name Payments --collection-access Payments --collection-access Refunds'
      ]
    ]
  })

  readonly name = Option.String('--name', { description: '<NAME> Name, unlike that of any other group' })

  protected async run(): Promise<void> {
    const used = this.used()
    const name = nameValue(this.name)
    await this.withLedger(async (ledger) => {
      const id = randomUUID()
      const content = { ...noAccess, ...(await this.withIds(ledger.readModel, used)) }
      const group: Group = { name, ...content, grants: [], externalId: null }
      await ledger.run({ type: 'CreateGroup', id, group }, systemOrigin)
      const row = await currentGroup(ledger, id)
      this.answer(JSON.parse(groupRecord(row)), `Created group "${name}" (${id}).`, ...groupBlock(row))
    })
  }
}

export class GroupUpdateCommand extends UseCommand {
  static override readonly usage = usage('group update', {
    description: 'Change a group',
    details: 'An access option replaces the whole list; `none` empties it. What no option names stays as it is.',
    examples: [['Let its members use models', '$0 group update Payments --llm-access --llm-model "*"']]
  })

  readonly named = Option.String({ name: 'group' })
  readonly name = Option.String('--name', { description: '<NAME> Its new name' })

  protected async run(): Promise<void> {
    const used = this.used()
    const changes = { ...used, ...(this.name !== undefined && { name: nameValue(this.name) }) }
    if (Object.keys(changes).length === 0)
      throw new UsageError('Nothing to change: give at least one option. See: hub group update --help')
    await this.withLedger(async (ledger) => {
      const { id } = await groupNamed(ledger.readModel, this.named)
      const withIds = await this.withIds(ledger.readModel, changes)
      await ledger.run({ type: 'UpdateGroup', id, changes: withIds }, systemOrigin)
      const row = await currentGroup(ledger, id)
      this.answer(JSON.parse(groupRecord(row)), `Updated group "${nameOf(row)}" (${id}).`)
    })
  }
}

export class GroupDeleteCommand extends LedgerCommand {
  static override readonly usage = usage('group delete', {
    description: 'Delete a group; its members lose what they had by it',
    examples: [['By its name', '$0 group delete Payments']]
  })

  readonly named = Option.String({ name: 'group' })
  readonly yes = Option.Boolean('--yes', false, { description: TERMINAL_YES_HELP })

  protected async on(ledger: Ledger): Promise<void> {
    const row = await groupNamed(ledger.readModel, this.named)
    const members = (await membersOf(ledger.readModel, row.id)).length
    const name = nameOf(row)
    await this.confirmAtTerminal(`Delete group "${name}" of ${counted(members, 'member')}?`, this.yes)
    await ledger.run({ type: 'DeleteGroup', id: row.id }, systemOrigin)
    this.answer({ id: row.id, name, members, deleted: true }, `Deleted group "${name}" (${row.id}).`)
  }
}

/** A command on who is in a group. */
abstract class MembersCommand extends LedgerCommand {
  readonly named = Option.String({ name: 'group' })
  readonly users = Option.Rest({ name: 'user', required: 1 })

  protected async change(ledger: Ledger, how: 'add' | 'remove', told: string): Promise<void> {
    const { id } = await groupNamed(ledger.readModel, this.named)
    const named = await Promise.all(this.users.map((user) => changeableUser(ledger, user)))
    const names = new Map(named.map((user) => [user.id, user.name]))
    const changed = { add: [], remove: [], [how]: [...names.keys()] }
    await ledger.run({ type: 'ChangeMembers', id, by: 'administrator', ...changed }, systemOrigin)
    const row = await groupNamed(ledger.readModel, id)
    const members = await membersOf(ledger.readModel, id)
    this.answer({ id, members }, `${told} "${nameOf(row)}" (${id}): ${[...names.values()].join(', ')}.`)
  }
}

export class GroupAddCommand extends MembersCommand {
  static override readonly usage = usage('group add', {
    description: 'Make accounts members of a group',
    examples: [['Two of them, by their names', '$0 group add Payments ada bob']]
  })

  protected on(ledger: Ledger): Promise<void> {
    return this.change(ledger, 'add', 'Added to group')
  }
}

export class GroupRemoveCommand extends MembersCommand {
  static override readonly usage = usage('group remove', {
    description: 'Take accounts out of a group',
    details: 'Where a rule of a sign-in has made somebody a member, the next sign-in does so again.',
    examples: [['One of them', '$0 group remove Payments ada']]
  })

  protected on(ledger: Ledger): Promise<void> {
    return this.change(ledger, 'remove', 'Removed from group')
  }
}

/** A group as a block of lines. */
function groupBlock(row: GroupRow): Texts {
  const { name, grants, externalId, ...used } = groupIn(row)
  return block({
    ...{ id: row.id, name },
    ...usedFields(used),
    ...(grants.length > 0 && { grants: grantsText(grants) }),
    ...(externalId !== null && { 'external id': externalId }),
    ...{ created: row.createdAt, updated: row.updatedAt }
  })
}
