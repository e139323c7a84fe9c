import { Option } from 'clipanion'
import { nounOf } from '../commands/kind.js'
import { isMember, kinds, type RestorableKind } from '../commands/kinds.js'
import { collectionsTable } from '../projections/collections.js'
import { namesIn, sortKey } from '../projections/keys.js'
import { type NamedRecord, namesOfKind } from '../queries/names.js'
import { deletionOf, listDeleted } from '../queries/tombstones.js'
import { maskedIn } from '../src/audit/mask.js'
import type { Ledger } from '../src/ledger.js'
import { nearest } from '../src/nearest.js'
import { WHOLE_LOG } from '../src/storage/search.js'
import type { LogFilter, ReadStore } from '../src/storage/storage.js'
import { AnsweringCommand, REVEAL } from './command.js'
import { CliError } from './errors.js'
import { type Choice, chosen, severalNamed } from './names.js'
import { kindValue } from './option-values.js'

/** Which records a name may stand for: those that are there, those that are deleted, or first the one and then the other. */
export type Looked = 'live' | 'live, then deleted' | 'deleted, then live'

/**
 * The id of the record that a text names: by its id, or else by its name. Throws a `CliError` where there is none, or where
 * several go by the name, with what there is to choose from. What the log knows by this id, though it is erased, is found too.
 */
export async function recordId(ledger: Ledger, kind: RestorableKind, text: string, looked: Looked): Promise<string> {
  const { view } = ledger
  if (await view.get(kinds[kind].table, text)) return text
  if (looked !== 'live' && (await deletionOf(view, kind, text))) return text
  const steps = { live: () => liveNamed(view, kind, text), deleted: () => deletedNamed(view, kind, text) }
  for (const step of looked.split(', then ')) {
    const found = await (step === 'live' ? steps.live() : steps.deleted())
    if (found) return found.id
  }
  if (await isInLog(ledger, { streams: [`${kind}-${text}`] })) return text
  const near = await nearName(view, kind, text)
  const help = near === undefined ? [] : [`Did you mean "${near}"?`]
  throw new CliError(`${kinds[kind].title} not found: no ${nounOf(kinds[kind])} has the id or the name "${text}".`, {
    help
  })
}

/** The id that a text stands for in a list of ids: that of the record with this name, or else the text as it is. */
export async function idOrText(view: ReadStore, kind: RestorableKind, text: string): Promise<string> {
  if (text === '*' || (await view.get(kinds[kind].table, text))) return text
  return (await liveNamed(view, kind, text))?.id ?? text
}

/** True where the log has an event like this, be it erased. */
export async function isInLog({ storage }: Ledger, filter: LogFilter): Promise<boolean> {
  return (await storage.searchLog(filter, WHOLE_LOG, 1, false)).length > 0
}

async function liveNamed(view: ReadStore, kind: RestorableKind, text: string): Promise<Choice | null> {
  const wanted = namesIn(sortKey(text))
  const alike: NamedRecord[] = []
  for await (const records of namesOfKind(view, kind)) {
    alike.push(...records.filter(({ folded }) => folded === wanted.folded))
  }
  const exact = alike.filter(({ name }) => name === wanted.name)
  const found = exact.length > 0 ? exact : alike
  if (found.length > 1) throw severalNamed(text, kinds[kind].plural, await placed(view, kind, found))
  const [one] = found
  return one ? { id: one.id, name: one.name, where: '' } : null
}

async function placed(
  view: ReadStore,
  kind: RestorableKind,
  found: readonly NamedRecord[]
): Promise<readonly Choice[]> {
  if (!isMember(kind)) return found.map(({ id, name, createdAt }) => ({ id, name, where: `made ${createdAt}` }))
  const ids = found.flatMap(({ collectionId }) => collectionId ?? [])
  const rows = await view.getAll(collectionsTable, [...new Set(ids)], { body: false })
  const names = new Map(rows.map(({ id, sortKey }) => [id, namesIn(sortKey).name]))
  return found.map(({ id, name, collectionId }) => ({ id, name, where: `in ${names.get(collectionId ?? '') ?? '?'}` }))
}

async function deletedNamed(view: ReadStore, kind: RestorableKind, text: string): Promise<Choice | null> {
  const rows = (await listDeleted(view)).filter((row) => row.kind === kind)
  const newest = new Map(rows.toReversed().map((row) => [row.subject, row]))
  const choices = [...newest.values()].map(({ subject, name, at }) => ({ id: subject, name, where: `deleted ${at}` }))
  return chosen(text, `deleted ${kinds[kind].plural}`, choices)
}

async function nearName(view: ReadStore, kind: RestorableKind, text: string): Promise<string | undefined> {
  const near: string[] = []
  for await (const records of namesOfKind(view, kind)) {
    const one = nearest(
      text,
      records.map(({ name }) => name)
    )
    if (one !== undefined) near.push(one)
  }
  return nearest(text, near)
}

/** A command about one record, which is named by its kind and by its id or name. */
export abstract class RecordCommand extends AnsweringCommand {
  readonly kindName = Option.String({ name: 'kind' })
  readonly named = Option.String({ name: 'id-or-name' })

  protected get kind(): RestorableKind {
    return kindValue(this.kindName)
  }

  /** Works with the record. Throws a `CliError` where nothing of the kind goes by what was given, or several do. */
  protected withRecord(
    work: (ledger: Ledger, id: string, kind: RestorableKind) => Promise<void>,
    looked: Looked = 'live, then deleted'
  ): Promise<void> {
    const { kind } = this
    return this.withLedger(async (ledger) => work(ledger, await recordId(ledger, kind, this.named, looked), kind))
  }
}

/** One that prints what is in the record: secrets are masked unless `--reveal` is given. */
export abstract class ContentCommand extends RecordCommand {
  readonly reveal = Option.Boolean('--reveal', false, { description: REVEAL })

  /** What may be shown of a value. */
  protected shown(value: unknown): unknown {
    return this.reveal ? value : maskedIn(value)
  }
}
