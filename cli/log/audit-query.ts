import { Option } from 'clipanion'
import { z } from 'zod'
import { eventDefinitions, STREAM_KINDS } from '../../commands/index.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { type LogQuery, stretchOf } from '../../src/log/logQuery.js'
import type { AuditEntry } from '../../src/trust/audit/entries.js'
import { masked, type Show } from '../../src/trust/audit/mask.js'
import { logQueryOf } from '../../src/trust/audit/query.js'
import { AnsweringCommand, counted, REVEAL } from '../lib/command.js'
import { wordValue } from '../lib/option-values.js'
import { actorId, subjectId, tokenId } from '../lib/record-names.js'
import { calendarOf, rangeText, rangeValue, TIME_HELP, ZONE_HELP } from '../lib/times.js'
import { lines } from '../records/history.js'

const TYPES = Object.keys(eventDefinitions).sort()

/** A command that looks for events in the log, with the filters that all of them share. */
export abstract class AuditQueryCommand extends AnsweringCommand {
  readonly actor = Option.String('--actor', {
    description: '<USER> Who did it: an id, or a name that an account has or had, also one that is gone'
  })
  readonly token = Option.String('--token', { description: '<TOKEN> The token, by its id or name' })
  readonly type = Option.String('--type', { description: '<TYPE> Type of event, such as CollectionDeleted' })
  readonly kind = Option.String('--kind', { description: `<KIND> What it is about: ${STREAM_KINDS.join(', ')}` })
  readonly id = Option.String('--id', { description: '<ID> Id of what it is about; with --kind its name will do' })
  readonly address = Option.String('--address', { description: '<ADDRESS> Address that the request came from' })
  readonly request = Option.String('--request', { description: '<ID> Id of the request' })
  readonly from = Option.String('--from', { description: `<TIME> The first moment: ${TIME_HELP}` })
  readonly to = Option.String('--to', { description: '<TIME> The last moment; of a day its end; now by default' })
  readonly zone = Option.String('--zone', { description: ZONE_HELP })
  readonly reveal = Option.Boolean('--reveal', false, { description: REVEAL })

  /** Works with what the query finds in the log. */
  protected abstract over(ledger: Ledger, query: LogQuery): Promise<void>

  /** Throws a `CliError` where an option makes no sense, and for an account, a token or a record that the log does not know. */
  protected run(): Promise<void> {
    const { actor, token, id, address, request } = this
    const type = this.type === undefined ? undefined : wordValue('type', this.type, TYPES)
    const kind = this.kind === undefined ? undefined : wordValue('kind', this.kind, STREAM_KINDS)
    const { from, to, understood } = rangeValue(this, calendarOf(this.zone))
    if (understood !== null) this.warn(`Looking ${understood}.`)
    return this.withLedger(async (ledger) => {
      const query = logQueryOf({
        ...{ type, kind, address, request, from, to },
        actor: actor === undefined ? undefined : await actorId(ledger, actor),
        token: token === undefined ? undefined : await tokenId(ledger, token),
        id: id === undefined ? undefined : await subjectId(ledger, kind, id)
      })
      await this.over(ledger, query)
    })
  }

  /** Says that nothing was found, and where it was looked for. */
  protected async printNothing({ storage }: Ledger, query: LogQuery): Promise<void> {
    const { after, through } = await stretchOf(storage, query)
    const positions = after < through ? `positions ${after + 1} to ${through}` : 'no event of the log is there'
    this.print(`Nothing was found ${rangeText({ from: query.from, to: query.to })} (${positions}).`)
  }

  /** What may be shown of a text: everything on the host that asks for it. */
  protected get how(): readonly Show[] {
    return this.reveal ? [] : [masked]
  }
}

const used = z.object({ totalTokens: z.number() })
const erasedValue = z.object({ path: z.string(), position: z.number() })

/** What an entry is about, by its name, and what it tells of that where it is not a change of it. */
function nameIn({ resource: { name }, type, changes }: AuditEntry): string {
  return (name === null ? '' : `"${name}"`) + detailIn(type, changes[0]?.to)
}

/** What a step of a chat has used, and which value was erased. */
function detailIn(type: string, data: unknown): string {
  const tokens = type === 'LlmStepRecorded' ? used.safeParse(data).data?.totalTokens : undefined
  if (tokens !== undefined) return ` ${counted(tokens, 'token')}`
  const erased = type === 'ValueErased' ? erasedValue.safeParse(data).data : undefined
  return erased ? `${erased.path} of position ${erased.position}` : ''
}

/** Who gave the command on the host, behind the account that it ran as. */
function onHost({ operator }: AuditEntry): string {
  return operator ? ` (${operator.user}@${operator.host}: ${operator.command})` : ''
}

/** An entry in one line. */
export function entryLine(entry: AuditEntry): string {
  const { position, at, type, resource, actor, address } = entry
  const from = address === null ? '' : ` from ${address}`
  return `${position}  ${at}  ${actor.name ?? actor.id}${onHost(entry)}${from}  ${type}  ${resource.kind} ${resource.id} ${nameIn(entry)}`.trimEnd()
}

/** What the columns of a table of entries are called. */
export const ENTRY_HEAD = ['position', 'time', 'who', 'address', 'type', 'what']

/** An entry as a row of a table. */
export function entryCells(entry: AuditEntry): readonly string[] {
  const { position, at, type, resource, actor, address } = entry
  // The name first: where the terminal is narrow, the end of the id is cut off.
  const what = `${nameIn(entry)} ${resource.id}`.trimStart()
  return [String(position), at, `${actor.name ?? actor.id}${onHost(entry)}`, address ?? '-', type, what]
}

/** An entry with everything that it tells. */
export function entryBlock(entry: AuditEntry): readonly string[] {
  const { position, at, type, resource, actor, token, address, operator, requestId, causation, changes, erased } = entry
  return [
    `position: ${position}`,
    `time: ${at}`,
    `type: ${type}`,
    `about: ${resource.kind} ${resource.id}${resource.name === null ? '' : ` "${resource.name}"`}`,
    `by: ${actor.name ?? '(erased)'} (${actor.id})`,
    `token: ${token === null ? '-' : `${token.name ?? '(gone)'} (${token.id})`}`,
    `address: ${address ?? '-'}`,
    ...(operator ? [`on the host: ${operator.user}@${operator.host}, ${operator.command}`] : []),
    `request: ${requestId ?? '-'}`,
    ...(causation === null ? [] : [`because of position: ${causation}`]),
    ...(erased ? ['what it changed is erased'] : lines(changes))
  ]
}
