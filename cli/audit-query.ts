import { Option } from 'clipanion'
import { STREAM_KINDS } from '../commands/index.js'
import type { AuditEntry } from '../src/audit/entries.js'
import { masked, type Show } from '../src/audit/mask.js'
import { type AuditQuery, accountId, logQueryOf } from '../src/audit/query.js'
import type { Ledger } from '../src/ledger.js'
import { momentOf } from '../src/log/moment.js'
import type { LogQuery } from '../src/log/search.js'
import { AnsweringCommand } from './command.js'
import { lines } from './diff.js'
import { CliError } from './errors.js'

/** A command that looks for events in the log, with the filters that all of them share. */
export abstract class AuditQueryCommand extends AnsweringCommand {
  readonly actor = Option.String('--actor', { description: 'Id of an account, or the name that it has now' })
  readonly token = Option.String('--token', { description: 'Id of a token' })
  readonly type = Option.String('--type', { description: 'Type of event, such as CollectionDeleted' })
  readonly kind = Option.String('--kind', { description: `What it is about: ${STREAM_KINDS.join(', ')}` })
  readonly id = Option.String('--id', { description: 'Id of what it is about' })
  readonly address = Option.String('--address', { description: 'Address that the request came from' })
  readonly request = Option.String('--request', { description: 'Id of the request' })
  readonly from = Option.String('--from', { description: 'First position or time' })
  readonly to = Option.String('--to', { description: 'Last position or time' })
  readonly reveal = Option.Boolean('--reveal', false, { description: 'Show secrets of variables and auth blocks' })

  /** What to look for. Throws a `CliError` where an option makes no sense. */
  protected query(): AuditQuery {
    const { actor, token, type, id, address, request, from, to } = this
    const kind = this.kind === undefined ? undefined : STREAM_KINDS.find((one) => one === this.kind)
    if (this.kind !== undefined && !kind)
      throw new CliError(`Unknown kind "${this.kind}". Kinds are ${STREAM_KINDS.join(', ')}.`)
    return {
      ...{ actor, token, type, kind, id, address, request },
      from: from === undefined ? undefined : momentOf(from, '--from'),
      to: to === undefined ? undefined : momentOf(to, '--to')
    }
  }

  /** The query that finds it in the log of this hub: an account that is named is looked for by its id. */
  protected async within({ view }: Ledger, query: AuditQuery): Promise<LogQuery> {
    const { actor } = query
    return logQueryOf({ ...query, actor: actor === undefined ? undefined : await accountId(actor, view) })
  }

  /** What may be shown of a text: everything on the host that asks for it. */
  protected get how(): readonly Show[] {
    return this.reveal ? [] : [masked]
  }
}

/** An entry in one line. */
export function entryLine({ position, at, type, resource, actor, address }: AuditEntry): string {
  const name = resource.name === null ? '' : ` "${resource.name}"`
  const from = address === null ? '' : ` from ${address}`
  return `${position}  ${at}  ${actor.name ?? actor.id}${from}  ${type}  ${resource.kind} ${resource.id}${name}`
}

/** An entry with everything that it tells. */
export function entryBlock(entry: AuditEntry): readonly string[] {
  const { position, at, type, resource, actor, token, address, requestId, causation, changes, erased } = entry
  return [
    `position: ${position}`,
    `time: ${at}`,
    `type: ${type}`,
    `about: ${resource.kind} ${resource.id}${resource.name === null ? '' : ` "${resource.name}"`}`,
    `by: ${actor.name ?? '(erased)'} (${actor.id})`,
    `token: ${token === null ? '-' : `${token.name ?? '(gone)'} (${token.id})`}`,
    `address: ${address ?? '-'}`,
    `request: ${requestId ?? '-'}`,
    ...(causation === null ? [] : [`because of position: ${causation}`]),
    ...(erased ? ['what it changed is erased'] : lines(changes))
  ]
}
