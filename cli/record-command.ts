import { Option } from 'clipanion'
import type { RestorableKind } from '../commands/kinds.js'
import { AnsweringCommand } from './command.js'
import { kindValue } from './option-values.js'

/** A command about one record, which is named by its kind and its id. */
export abstract class RecordCommand extends AnsweringCommand {
  readonly kindName = Option.String({ name: 'kind' })
  readonly id = Option.String({ name: 'id' })

  protected get kind(): RestorableKind {
    return kindValue(this.kindName)
  }
}
