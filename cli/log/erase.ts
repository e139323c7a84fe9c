import { Option } from 'clipanion'
import { invitationsTable } from '../../commands/people/invitation/table.js'
import { tokensTable } from '../../commands/people/token/table.js'
import { usersTable } from '../../commands/people/user/table.js'
import { kinds, type RestorableKind } from '../../commands/records/kinds.js'
import type { OpenLedger } from '../../src/app/openLedger.js'
import { errors } from '../../src/errors.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { carryOut, type Plan, payloadsOf, planAccount, planDeleted, planPerson } from '../../src/trust/erasure/erase.js'
import { finishErasures } from '../../src/trust/erasure/finish.js'
import { eraseExpired } from '../../src/trust/erasure/retention.js'
import { planRunResult } from '../../src/trust/erasure/runResults.js'
import { eraseValue } from '../../src/trust/erasure/value.js'
import { AnsweringCommand, counted, usage, YES_HELP } from '../lib/command.js'
import { CliError } from '../lib/errors.js'
import { changeableUser } from '../lib/names.js'
import { countValue, ERASABLE_KINDS, versionValue, wordValue } from '../lib/option-values.js'
import { actorId, RecordCommand, recordId } from '../lib/record-names.js'

/** How the option is described without which a command that erases only says what that would be. */
const ERASE_HELP = 'Do it; without this, only say what would be erased'

/** How much a plan takes away. */
export function amount(plan: Plan) {
  const { names, mentions = [] } = plan
  return { payloads: payloadsOf(plan), names: names.length + mentions.length }
}

/** The same in words. */
export function amountText(plan: Plan): string {
  const { payloads, names } = amount(plan)
  return `${counted(payloads, 'payload')} and ${namesText(names)}`
}

const namesText = (names: number) => counted(names, 'name or address', 'names and addresses')

export class EraseDeletedCommand extends RecordCommand {
  static override readonly usage = usage('erase deleted', {
    description: 'Erase a deleted record from the log, with all that went with it: it cannot be brought back then',
    details:
      'A run result has no name: `hub audit list --type RunResultDeleted` lists the ids of those that are deleted.',
    examples: [
      ['What that would be', '$0 erase deleted collection Payments'],
      ['For ever', '$0 erase deleted collection Payments --yes'],
      ['A run result, by its id', '$0 erase deleted runresult 0d6f2f4e-6c55-4f0a-9d1e-2f7c2b1f5a10 --yes']
    ]
  })

  readonly yes = Option.Boolean('--yes', false, { description: ERASE_HELP })

  protected async run(): Promise<void> {
    const kind = wordValue('kind', this.kindName, ERASABLE_KINDS)
    // One that was interrupted and is run again may not be found any more.
    if (this.yes) await this.withLedger(finishErasures)
    return this.withLedger(async (ledger) => {
      const isRun = kind === 'runresult'
      const plan = await (isRun ? planRunResult(ledger, this.named) : planRecord(ledger, kind, this.named))
      const { id } = plan
      const preview = [`Would erase ${amountText(plan)}, for ever.`]
      const isMeant = await this.confirmAfter(`Erase the ${kind} ${id} for ever?`, preview, this.yes)
      if (isMeant) await carryOut(ledger, plan)
      if (this.json) return this.printJson({ kind, id, ...amount(plan), erased: isMeant })
      if (isMeant) this.print(`Erased ${amountText(plan)}.`)
    })
  }
}

/** What is to be erased of a deleted record that goes by an id or a name. Throws where it is there, or there is none. */
async function planRecord(ledger: OpenLedger, kind: RestorableKind, text: string): Promise<Plan> {
  const id = await recordId(ledger, kind, text, 'deleted, then live')
  if (await ledger.readModel.get(kinds[kind].table, id)) throw errors.notDeletedYet()
  return planDeleted(ledger, kind, id)
}

export class EraseValueCommand extends RecordCommand {
  static override readonly usage = usage('erase value', {
    description: 'Erase one value, such as a secret, from one version of a record',
    examples: [
      ['A variable of a collection', '$0 erase value collection Payments --version 3 --path /variables/0/value']
    ]
  })

  readonly version = Option.String('--version', {
    required: true,
    description: '<VERSION> A version that hub history lists'
  })
  readonly pointer = Option.String('--path', {
    required: true,
    description: '<PATH> Where it is, as hub diff prints it'
  })
  readonly yes = Option.Boolean('--yes', false, { description: YES_HELP })

  protected run(): Promise<void> {
    const { kind, pointer: path } = this
    const version = versionValue('--version', this.version)
    return this.withRecord(async (ledger, id) => {
      await this.confirm(`Erase ${path} of version ${version} of the ${kind} ${id} for ever?`, this.yes)
      const same = await eraseValue(ledger, kind, id, version, path)
      const others = `The same value is in ${same.length > 1 ? 'versions' : 'version'} ${same.join(', ')}.`
      const erased = `Erased ${path} of version ${version}.`
      this.answer({ kind, id, version, path, sameIn: same }, erased, ...(same.length > 0 ? [others] : []))
    })
  }
}

export class EraseExpiredCommand extends AnsweringCommand {
  static override readonly usage = usage('erase expired', {
    description: 'Erase names, addresses and deleted records that are older than audit.retentionDays',
    details: 'A running hub does it once a day.',
    examples: [['What is older than a year', '$0 erase expired --days 365 --yes']]
  })

  readonly yes = Option.Boolean('--yes', false, { description: YES_HELP })
  readonly days = Option.String('--days', { description: '<DAYS> Instead of audit.retentionDays' })

  protected run(): Promise<void> {
    const days = this.days === undefined ? this.config().audit.retentionDays : countValue('--days', this.days)
    if (days === undefined) throw new CliError('Nothing expires: set audit.retentionDays, or give --days.')
    return this.withLedger(async (ledger) => {
      const age = `older than ${counted(days, 'day')}`
      await this.confirm(`Erase names, addresses and deleted records ${age} for ever?`, this.yes)
      const expired = await eraseExpired(ledger, days)
      const { names, payloads } = expired
      this.answer(expired, `Erased ${namesText(names)} and ${counted(payloads, 'payload')} ${age}.`)
    })
  }
}

export class EraseUserCommand extends AnsweringCommand {
  static override readonly usage = usage('erase user', {
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
  readonly yes = Option.Boolean('--yes', false, { description: ERASE_HELP })

  protected run(): Promise<void> {
    return this.withLedger(async (ledger) => {
      try {
        await this.#erase(ledger)
      } finally {
        // What one that was interrupted has left goes last: by it the account is found, and who mentions it.
        if (this.yes) await finishErasures(ledger)
      }
    })
  }

  async #erase(ledger: OpenLedger): Promise<void> {
    const person = await erasable(ledger, this.named)
    const { id, name, isThere } = person
    const plan = await planPerson(ledger, id)
    const preview = [...steps(person, plan), `Would erase ${amountText(plan)}, for ever.`]
    const isMeant = await this.confirmAfter(`Erase ${name} for ever?`, preview, this.yes)
    if (isMeant && isThere) await ledger.run({ type: 'DeleteUser', id }, systemOrigin)
    const done = isMeant ? await planAccount(ledger, id) : plan
    if (isMeant) await carryOut(ledger, done)
    const { tokens, invitations } = person
    const held = { deletes: isThere, tokens, invitations }
    if (this.json) return this.printJson({ kind: 'user', id, ...held, ...amount(done), erased: isMeant })
    if (isMeant) this.print(...(isThere ? [`Deleted user ${name} (${id}).`] : []), `Erased ${amountText(done)}.`)
  }
}

/**
 * Who is to be erased: by the name in quotes, or by the id where the account is not there any more. Throws a `CliError` where
 * there is nobody, and for the system account.
 */
async function erasable(ledger: OpenLedger, text: string) {
  const { readModel } = ledger
  const id = await actorId(ledger, text)
  const row = await readModel.get(usersTable, id)
  if (row) await changeableUser(ledger, id)
  const tokens = await readModel.count(tokensTable, 'byUser', [id])
  const invitations = await readModel.count(invitationsTable, 'byUser', [id])
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
