import { Option } from 'clipanion'
import { OWN_DATABASE } from '../../src/config/tenants.js'
import type { HubConfig } from '../../src/config/types.js'
import { errors } from '../../src/errors.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { configOfTenant } from '../../src/tenants/config.js'
import { forgetMove, noteMove, removeLeft } from '../../src/tenants/left.js'
import { isRefusal, removeData } from '../../src/tenants/setup.js'
import { copyClosed, restoreTenant } from '../../src/tenants/transfer.js'
import { keysAtHand, readKeyring } from '../../src/trust/audit/sealKey.js'
import { backUp } from '../../src/trust/backup/follow.js'
import { readBackup } from '../../src/trust/backup/restore.js'
import { filesOf } from '../../src/trust/backup/sets.js'
import { usage } from '../lib/command.js'
import { CliError } from '../lib/errors.js'
import { tenantWithId } from '../lib/names.js'
import { stoppable } from '../lib/signals.js'
import { DATABASE_HELP, TenantCommand, tenantName } from './tenant.js'

export class TenantMoveCommand extends TenantCommand {
  static override readonly usage = usage('tenant move', {
    description: 'Move the log of a tenant to another database, while the hub serves',
    details: `
      Meanwhile the tenant can be read, and whoever changes something is told to try again in a moment (503). Tokens,
      history and positions stay as they are. Where it is interrupted, run it again: the tenant stays where it was until
      everything is there.
    `,
    examples: [['To a server of its own', '$0 tenant move acme --database east']]
  })

  readonly id = Option.String({ name: 'id' })
  readonly database = Option.String('--database', { required: true, description: DATABASE_HELP })

  protected async run(): Promise<void> {
    const config = this.configWithTenants('move')
    await this.withLedger(async (ledger) => {
      const row = await tenantWithId(ledger.readModel, this.id)
      const to = this.newPlace(config, row.tenant, this.database)
      // There it is one and the same: what was copied would be taken away.
      if (to.database === OWN_DATABASE && row.database === OWN_DATABASE)
        throw new CliError(`Tenant "${row.name}" (${row.tenant}) is in its own database already.`)
      const [from, target] = [configOfTenant(config, row), configOfTenant(config, to)]
      const { database, place } = to
      const { state } = ledger.storage
      const move = {
        begin: async () => {
          await ledger.readModel.current()
          const now = await tenantWithId(ledger.readModel, this.id)
          if (now.place !== row.place) throw errors.tenantElsewhere()
          await removeLeft(state, config, row)
          await noteMove(state, row, to)
        },
        settle: async () => {
          const moved = { type: 'MoveTenant', id: row.id, database, place, from: row.place } as const
          await ledger.run(moved, systemOrigin).catch((error: unknown) => {
            if (!isRefusal(error)) this.warn(unknown(row.tenant))
            throw error
          })
        },
        // What is in a database of its own may have been there before.
        takeBack: async () => {
          if (database !== OWN_DATABASE) await removeData(config, to)
        }
      }
      const { position } = await stoppable((signal) =>
        copyClosed(from, target, move, signal, this.host.notice).catch((error: unknown) => {
          throw error === signal.reason ? new CliError('The move was stopped: the tenant is where it was.') : error
        })
      )
      await removeData(config, row)
      await forgetMove(state, row, to)
      const moved = await tenantWithId(ledger.readModel, this.id)
      this.tell(`Moved tenant "${moved.name}" (${moved.tenant}), up to position ${position}.`, moved)
    })
  }
}

const unknown = (tenant: string): string =>
  `Whether tenant "${tenant}" is at its new place is not known: run this again. Until then it can be read, and may refuse changes.`

export class TenantExportCommand extends TenantCommand {
  static override readonly usage = usage('tenant export', {
    description: 'Write everything that a tenant has to one file: a backup, which `hub tenant import` takes',
    examples: [['Before it is deleted', '$0 tenant export acme acme.backup']]
  })

  readonly id = Option.String({ name: 'id' })
  readonly file = Option.String({ name: 'file' })
  readonly force = Option.Boolean('--force', false, { description: 'Replace the file where it is there already' })

  protected async run(): Promise<void> {
    const config = this.configWithTenants('export')
    const { file, force } = this
    this.requireFile(file)
    const row = await this.withLedger((ledger) => tenantWithId(ledger.readModel, this.id))
    const own = configOfTenant(config, row)
    const keys = readKeyring(own.audit)
    const { end } = await stoppable((signal) =>
      this.withLedger((ledger) => backUp(ledger, { file, force, keys, now: ledger.now(), signal }), own)
    )
    const { position } = end
    const done = `Exported tenant "${row.name}" (${row.tenant}) to ${file}, up to position ${position}.`
    this.answer({ id: row.tenant, file, position }, done)
  }
}

export class TenantImportCommand extends TenantCommand {
  static override readonly usage = usage('tenant import', {
    description: 'Make a tenant of a backup: of another tenant, or of a hub of its own',
    details: 'Its tokens go on working, for whoever names the tenant.',
    examples: [['A team that had a hub of its own', '$0 tenant import acme hub.backup --name "Acme Inc"']]
  })

  readonly id = Option.String({ name: 'id' })
  readonly source = Option.String({ name: 'file-or-directory' })
  readonly name = Option.String('--name', { required: true, description: '<NAME> What people call it' })
  readonly database = Option.String('--database', { description: DATABASE_HELP })

  protected async run(): Promise<void> {
    const { id: tenant, database } = this
    const name = tenantName(this.name)
    const config = this.configWithTenants('import')
    const files = await filesOf(this.source)
    const { row, through } = await stoppable(async (signal) => {
      const goOn = () => signal.throwIfAborted()
      try {
        const backup = await readBackup(files, keysAtHand(config.audit), undefined, goOn)
        const fill = (own: HubConfig) => restoreTenant(own, backup, this.host.notice, goOn)
        return { row: await this.create(config, { tenant, name, database }, fill, signal), through: backup.through }
      } catch (error) {
        throw error === signal.reason ? new CliError('The import was stopped: no tenant was made.') : error
      }
    })
    this.tell(`Imported tenant "${row.name}" (${row.tenant}), up to position ${through}.`, row)
  }
}
