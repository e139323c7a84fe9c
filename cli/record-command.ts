import { Option } from 'clipanion'
import type { RestorableKind } from '../projections/departures.js'
import { KINDS } from '../queries/kinds.js'
import { AnsweringCommand } from './command.js'
import { CliError } from './errors.js'

/** A command about one record, which is named by its kind and its id. */
export abstract class RecordCommand extends AnsweringCommand {
  readonly kindName = Option.String({ name: 'kind' })
  readonly id = Option.String({ name: 'id' })

  protected get kind(): RestorableKind {
    const kind = KINDS.find((one) => one === this.kindName)
    if (!kind) throw new CliError(`Unknown kind "${this.kindName}". Kinds are ${KINDS.join(', ')}.`)
    return kind
  }
}
