import { type Checked, type Finding, worst } from '../../src/ops/check.js'
import { type Examination, examine, LOG_CHECKS } from '../../src/ops/doctor.js'
import { hostPorts } from '../../src/ops/host.js'
import { AnsweringCommand, counted, usage } from '../lib/command.js'
import { CliError } from '../lib/errors.js'

const STATE_WIDTH = 9
const NAME_WIDTH = 15

export class DoctorCommand extends AnsweringCommand {
  static override readonly usage = usage('doctor', {
    description: 'Look at everything that the hub needs; exit 1 where something fails',
    details: `
      Configuration, file modes, access times of the disk, its room, database, schema, the newest 10,000 events of the log, read
      tables, throttle store, clock, providers, models on offer, tool servers, documentation index and certificates: each with its state and what to do about it. It
      opens connections of its own, changes nothing, and may be run beside a hub or where none runs. Of each tenant the database,
      schema, log, chain, read tables, search index and images are looked at; with \`--tenant\`, everything of that one alone.
    `,
    examples: [
      ['Before the first start, and when something is wrong', '$0 doctor'],
      ['For monitoring', '$0 doctor --json']
    ]
  })

  protected async run(): Promise<void> {
    const ports = hostPorts(this.context.configPath, () => this.about(this.load().config))
    const { checks } = await examine(ports).finally(() => ports.close())
    const tenants = await this.#tenants(checks)
    const all = [...checks, ...tenants.flatMap(named)]
    const state = worst(all.map(({ state }) => state))
    this.answer({ state, checks, tenants }, ...checks.flatMap(lines), ...tenants.flatMap(summary))
    const failed = all.filter((check) => check.state === 'failed').map(({ name }) => name)
    if (failed.length > 0) throw new CliError(`Not well: ${failed.join(', ')}.`)
  }

  /** What there is to say of each tenant; nothing where the log that names them cannot be read, which the checks of the hub tell. */
  async #tenants(checks: readonly Checked[]): Promise<readonly TenantChecked[]> {
    const needed = ['configuration', 'db', 'schema', 'log']
    const isUnknown = ({ name, state }: Checked) => needed.includes(name) && (state === 'failed' || state === 'skipped')
    if (checks.some(isUnknown)) return []
    const looked = await this.eachTenant(async (config) => {
      const ports = hostPorts(this.context.configPath, () => config)
      return examine(ports, undefined, LOG_CHECKS).finally(() => ports.close())
    })
    return looked.map((one): TenantChecked => {
      if (!('failed' in one)) return one
      const findings = [{ state: 'failed', text: one.failed }] as const
      return { tenant: one.tenant, state: 'failed', checks: [{ name: 'db', state: 'failed', findings }] }
    })
  }
}

type TenantChecked = Examination & { readonly tenant: string }

/** The checks of a tenant, each under a name that says whose it is. */
function named({ tenant, checks }: TenantChecked): readonly Checked[] {
  return checks.map((check) => ({ ...check, name: `${tenant}: ${check.name}` }))
}

/** What was found of a tenant; in one line where that is nothing. */
function summary(one: TenantChecked): readonly string[] {
  const told = named(one).filter(({ state }) => state === 'failed' || state === 'warning')
  if (told.length > 0) return told.flatMap(lines)
  const text = `${counted(one.checks.length, 'check')} found nothing.`
  return lines({ name: one.tenant, state: 'ok', findings: [{ state: 'ok', text }] })
}

function lines({ name, findings }: Checked): readonly string[] {
  return findings.flatMap(({ state, subject, text, advice, detail }: Finding, i) => {
    const told = subject === undefined ? text : `${subject}: ${text}`
    const more = [...(detail === undefined ? [] : [`(${detail})`]), ...(advice === undefined ? [] : [`-> ${advice}`])]
    const indent = ' '.repeat(STATE_WIDTH + NAME_WIDTH)
    return [
      `${state.padEnd(STATE_WIDTH)}${(i === 0 ? name : '').padEnd(NAME_WIDTH - 1)} ${told}`,
      ...more.map((line) => indent + line)
    ]
  })
}
