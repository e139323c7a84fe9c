import { Command } from 'clipanion'
import type { Checked, Finding } from '../src/ops/check.js'
import { examine } from '../src/ops/doctor.js'
import { hostPorts } from '../src/ops/host.js'
import { AnsweringCommand } from './command.js'
import { CliError } from './errors.js'

const STATE_WIDTH = 9
const NAME_WIDTH = 15

/** `hub doctor`: looks at everything that a hub needs, and says what to do about what is not well. */
export class DoctorCommand extends AnsweringCommand {
  static override readonly paths = [['doctor']]
  static override readonly usage = Command.Usage({
    category: 'Server',
    description: 'Look at everything that the hub needs; exit 1 where something fails',
    details: `
      Configuration, file modes, access times of the disk, its room, database, schema, the newest 10,000 events of the log, read
      tables, throttle store, clock, providers, models on offer, tool servers, documentation index and certificates: each with its state and what to do about it. It
      opens connections of its own, changes nothing, and may be run beside a hub or where none runs. Each tenant is looked at by
      itself, with \`--tenant\`.
    `,
    examples: [
      ['Before the first start, and when something is wrong', '$0 doctor'],
      ['For monitoring', '$0 doctor --json']
    ]
  })

  protected async run(): Promise<void> {
    const ports = hostPorts(this.context.configPath, () => this.about(this.load().config))
    const { state, checks } = await examine(ports).finally(() => ports.close())
    if (this.json) this.printJson({ state, checks })
    else this.print(...checks.flatMap(lines))
    const failed = checks.filter((check) => check.state === 'failed').map(({ name }) => name)
    if (failed.length > 0) throw new CliError(`Not well: ${failed.join(', ')}.`)
  }
}

function lines({ name, findings }: Checked): readonly string[] {
  return findings.flatMap(({ state, subject, text, advice, detail }: Finding, i) => {
    const told = subject === undefined ? text : `${subject}: ${text}`
    const more = [...(detail === undefined ? [] : [`(${detail})`]), ...(advice === undefined ? [] : [`-> ${advice}`])]
    const indent = ' '.repeat(STATE_WIDTH + NAME_WIDTH)
    return [
      state.padEnd(STATE_WIDTH) + (i === 0 ? name : '').padEnd(NAME_WIDTH) + told,
      ...more.map((line) => indent + line)
    ]
  })
}
