import { randomUUID } from 'node:crypto'
import type { HubConfig } from '../../src/config/types.js'
import { configOfTenant, type TenantAt } from '../../src/tenants/config.js'
import { drawPlace, setUp } from '../../src/tenants/setup.js'
import type { Call, Reply } from '../http/client.js'
import type { Driver } from '../http/drivers.js'
import { assertNoCrash } from '../http/hub-suite.js'
import { administrator, type HubOptions, runOn, startHub, type TestHub } from '../http/support.js'
import { type Suite, suite } from '../support/suite.js'

/** The header by which a request names a tenant. */
export const named = (tenant: string) => ({ 'x-harbor-tenant': tenant })

/** A tenant as the log of its hub has it, and its own configuration. */
interface MadeTenant {
  readonly recordId: string
  readonly at: TenantAt
  readonly config: HubConfig
}

/** A tenant of a hub under test, as if it were a hub: every request that it sends names it. */
export interface TestTenant extends TestHub {
  readonly id: string
  readonly made: MadeTenant
}

/** A hub under test with its tenants. */
export interface Teams {
  readonly hub: TestHub
  /** The configuration of the hub, as the file has it. */
  readonly sections: Readonly<Record<string, unknown>>
  tenant(id: string, place?: { readonly name?: string; readonly database?: string | null }): Promise<TestTenant>
}

/** The sections of a file that has tenants. */
function withTenants({ config = {} }: HubOptions) {
  const { multitenancy = {} } = config
  return { ...config, multitenancy: { enabled: true, ...fieldsOf(multitenancy) } }
}

const fieldsOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

/** Has a hub that is there serve one more tenant, as `hub tenant create` does, without anybody in it. */
export async function makeTenant(
  hub: Pick<TestHub, 'hub' | 'run'>,
  id: string,
  { name = `Team ${id}`, database = null }: { readonly name?: string; readonly database?: string | null } = {}
): Promise<MadeTenant> {
  const at = { tenant: id, database, place: drawPlace() }
  const config = configOfTenant(hub.hub.config, at)
  await setUp(config)
  const recordId = randomUUID()
  await hub.run({ type: 'CreateTenant', id: recordId, name, ...at })
  return { recordId, at, config }
}

/** A suite with a hub on this driver that has tenants. It fails, too, when a request of its tests ended in a 500. */
export function teamsSuite(
  name: string,
  driver: Driver,
  begin: (teams: Teams) => unknown,
  options: HubOptions = {}
): Suite {
  const test = suite(`${name} on ${driver.name}`, { needs: driver.needs })
  const leaves: (() => void)[] = []
  let hub: TestHub | undefined
  test.before(async () => {
    const sections = withTenants(options)
    const started = await startHub(driver, { ...options, config: sections })
    hub = started
    await begin({ hub: started, sections, tenant: (id, place) => testTenant(started, sections, id, place, leaves) })
  })
  test.after(async () => {
    for (const leave of leaves) leave()
    await hub?.close()
    if (hub) assertNoCrash(hub)
  })
  return test
}

async function testTenant(
  hub: TestHub,
  sections: object,
  id: string,
  place: { readonly name?: string; readonly database?: string | null } | undefined,
  leaves: (() => void)[]
): Promise<TestTenant> {
  const made = await makeTenant(hub, id, place)
  const lease = await hub.tenants?.enter(id)
  if (!lease) throw new Error(`There is no tenant ${id}`)
  leaves.push(lease.leave)
  const run = runOn(lease.hub)
  const send = (call: Call): Promise<Reply> => {
    // A tenant's administrators cannot: the file is the hub's.
    if (call.path === '/admin/config/reload') return hub.send({ ...call, token: hub.admin.token })
    return hub.send({ ...call, headers: { ...named(id), ...call.headers } })
  }
  return {
    ...hub,
    ...{ id, made, run, send },
    hub: lease.hub,
    admin: await administrator(run),
    reconfigure: (own) => hub.reconfigure(own && { ...sections, ...own })
  }
}
