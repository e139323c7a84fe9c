import { randomUUID } from 'node:crypto'
import { Option } from 'clipanion'
import { HUB_ID } from '../../commands/tenants/hub/events.js'
import type { TenantRow } from '../../commands/tenants/tenant/decide.js'
import { tenantIdRefusal } from '../../commands/tenants/tenant/id.js'
import { findTenant, listTenants } from '../../queries/tenants.js'
import { HUBS_DATABASE, OWN_DATABASE } from '../../src/config/tenants.js'
import type { HubConfig } from '../../src/config/types.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { configOfTenant, databasesFor, type TenantAt } from '../../src/tenants/config.js'
import { dayKey } from '../../src/tenants/daily.js'
import { noteMaking, removeLeft, removeUnmade } from '../../src/tenants/left.js'
import { drawPlace, makeTenant, removeData, setUp } from '../../src/tenants/setup.js'
import { AnsweringCommand, usage, YES_HELP } from '../lib/command.js'
import { CliError, UsageError } from '../lib/errors.js'
import { tenantWithId } from '../lib/names.js'
import { nameValue } from '../lib/option-values.js'
import { block, type Texts } from '../lib/table.js'

/** With a longer prefix Postgres would take the table of one rebuild for that of another, since it cuts names behind 63 characters. */
const PREFIX_MAX = 37

/** How `--database` is described. */
export const DATABASE_HELP =
  '<DATABASE> Where its log is: hub, own (what tenants.ID.db names), or a name in multitenancy.databases'

/** A command about the tenants of a hub, which the log of the hub itself tells of. */
export abstract class TenantCommand extends AnsweringCommand {
  /** Which one is said by an argument. */
  override readonly tenant = undefined

  /**
   * A place that is nobody's, in the database that was named. Throws a `UsageError` where the configuration has none of that name, or a
   * prefix of it that is too long for tenants.
   */
  protected newPlace(config: HubConfig, tenant: string, named: string | undefined): TenantAt {
    const known = databasesFor(config, tenant)
    const usual = known.includes(OWN_DATABASE) ? OWN_DATABASE : HUBS_DATABASE
    const database = named ?? usual
    if (database !== HUBS_DATABASE && !known.includes(database))
      throw new UsageError(
        `--database: there is no "${database}". Known here: ${[HUBS_DATABASE, ...known].join(', ')}.`
      )
    const at = { tenant, database: database === HUBS_DATABASE ? null : database, place: drawPlace() }
    const { driver, prefix } = configOfTenant(config, at).db
    const most = PREFIX_MAX - `${at.place}_`.length
    if (driver === 'postgres' && prefix.length > PREFIX_MAX)
      throw new UsageError(
        `--database: the prefix of "${database}" has more than ${most} characters, which is too long for tenants.`
      )
    return at
  }

  /** Makes a log for a tenant by `fill`, and a tenant of it: both, or nothing. */
  protected async create(
    config: HubConfig,
    { tenant, name, database }: Readonly<Record<'tenant' | 'name', string>> & { readonly database: string | undefined },
    fill: (config: HubConfig) => Promise<unknown>,
    signal?: AbortSignal
  ): Promise<TenantRow> {
    requireTenantId(tenant)
    const place = this.newPlace(config, tenant, database)
    return this.withLedger(async (ledger) => {
      const { readModel, storage } = ledger
      const settle = () => ledger.run({ type: 'CreateTenant', id: randomUUID(), name, ...place }, systemOrigin)
      const make = async () => {
        await readModel.current()
        if (await findTenant(readModel, tenant)) throw new CliError(`A tenant with id "${tenant}" already exists.`)
        await noteMaking(storage.state, place)
        await makeTenant(config, place, fill, settle, () =>
          this.warn(`Whether tenant "${tenant}" was made is not known, so its log stays: see hub tenant list.`)
        )
        await removeUnmade(storage.state, config, await listTenants(readModel))
        return tenantWithId(readModel, tenant)
      }
      return storage.schema.exclusively(make, 'tenant', signal)
    })
  }

  protected tell(said: string, row: TenantRow): void {
    this.answer(tenantDocument(row), said, ...lines(row))
  }
}

export class TenantListCommand extends TenantCommand {
  static override readonly usage = usage('tenant list', {
    description: 'List the tenants of this hub',
    examples: [['All of them', '$0 tenant list']]
  })

  protected run(): Promise<void> {
    return this.withLedger(async ({ readModel }) => {
      const rows = await listTenants(readModel)
      const tenants = rows.map(tenantDocument)
      this.answer({ tenants }, ...(rows.length === 0 ? ['No tenants found.'] : rows.flatMap(lines)))
    })
  }
}

export class TenantCreateCommand extends TenantCommand {
  static override readonly usage = usage('tenant create', {
    description: 'Serve one more team, with accounts, records and a log of its own',
    details: `
      Its log is in tables of its own in the database of the hub (on SQLite in a file of its own), in the one that
      \`tenants.ID.db\` names, or in one of \`multitenancy.databases\`. A running hub serves it at once. Nobody is in it at
      first: \`hub user create --tenant ID --name ada --role admin\` makes its first administrator.
    `,
    examples: [['Another team', '$0 tenant create acme --name "Acme Inc"']]
  })

  readonly id = Option.String({ name: 'id' })
  readonly name = Option.String('--name', { required: true, description: '<NAME> What people call it' })
  readonly database = Option.String('--database', { description: DATABASE_HELP })

  protected async run(): Promise<void> {
    const { id: tenant, database } = this
    const name = tenantName(this.name)
    const config = this.configWithTenants('create')
    const row = await this.create(config, { tenant, name, database }, (own) => setUp(own, this.host.notice))
    this.tell(`Created tenant "${row.name}" (${row.tenant}).`, row)
  }
}

export class TenantRenameCommand extends TenantCommand {
  static override readonly usage = usage('tenant rename', {
    description: 'Call a tenant something else; its id stays',
    examples: [['A new name', '$0 tenant rename acme --name "Acme Ltd"']]
  })

  readonly id = Option.String({ name: 'id' })
  readonly name = Option.String('--name', { required: true, description: '<NAME> What people call it from now on' })

  protected async run(): Promise<void> {
    const name = tenantName(this.name)
    this.configWithTenants('rename')
    await this.withLedger(async (ledger) => {
      const { id } = await tenantWithId(ledger.readModel, this.id)
      await ledger.run({ type: 'RenameTenant', id, name }, systemOrigin)
      const row = await tenantWithId(ledger.readModel, this.id)
      this.tell(`Renamed tenant "${row.name}" (${row.tenant}).`, row)
    })
  }
}

export class TenantDeleteCommand extends TenantCommand {
  static override readonly usage = usage('tenant delete', {
    description: 'Delete a tenant with its accounts, its records and its log, for good',
    details: 'Nothing brings it back but a backup: see `hub tenant export`.',
    examples: [['In a script', '$0 tenant delete acme --yes']]
  })

  readonly id = Option.String({ name: 'id' })
  readonly yes = Option.Boolean('--yes', false, { description: YES_HELP })

  protected async run(): Promise<void> {
    const config = this.configWithTenants('delete')
    if (this.id === HUB_ID) throw reserved()
    await this.withLedger(async (ledger) => {
      const row = await tenantWithId(ledger.readModel, this.id)
      await this.confirm(`Delete tenant "${row.name}" (${row.tenant}) with everything in it, for good?`, this.yes)
      // Its data first: of a tenant that is deleted nobody would find what is left.
      await removeLeft(ledger.storage.state, config, row)
      await removeData(config, row)
      await ledger.run({ type: 'DeleteTenant', id: row.id, from: row.place }, systemOrigin)
      await ledger.storage.state.delete(dayKey(row))
      this.answer({ id: row.tenant, name: row.name, deleted: true }, `Deleted tenant "${row.name}" (${row.tenant}).`)
    })
  }
}

/** A name that people call a tenant by. Throws a `UsageError` where it is none. */
export function tenantName(given: string): string {
  if (given.trim() === '') throw new UsageError('Tenant name must not be empty.')
  return nameValue(given)
}

function requireTenantId(id: string): void {
  if (id === HUB_ID) throw reserved()
  const refusal = tenantIdRefusal(id)
  if (refusal) throw new UsageError(refusal.message)
}

function reserved(): UsageError {
  return new UsageError(`Cannot create or delete the reserved default tenant id "${HUB_ID}".`)
}

/** A tenant as people read it. */
function lines({ tenant: id, name, database, createdAt: created, updatedAt: updated }: TenantRow): Texts {
  return block({ id, name, database: database ?? HUBS_DATABASE, created, updated })
}

function tenantDocument({ tenant, name, database, createdAt, updatedAt }: TenantRow) {
  return { id: tenant, name, database: database ?? HUBS_DATABASE, createdAt, updatedAt }
}
