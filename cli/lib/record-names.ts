import { Option } from 'clipanion'
import { STREAM_KINDS } from '../../commands/index.js'
import { nameKey, namesIn, sortKey } from '../../commands/keys.js'
import { collectionsTable } from '../../commands/records/collection/table.js'
import { nounOf } from '../../commands/records/kind.js'
import { isMember, isRecord, kinds, type RestorableKind } from '../../commands/records/kinds.js'
import { type NamedRecord, namesOfKind } from '../../queries/names.js'
import { deletionOf, listDeleted } from '../../queries/tombstones.js'
import type { OpenLedger } from '../../src/app/openLedger.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { closestName } from '../../src/lib/didYouMean.js'
import { WHOLE_LOG } from '../../src/storage/search.js'
import type { LogFilter, ReadStore } from '../../src/storage/storage.js'
import { accountsOnceNamed } from '../../src/trust/audit/formerNames.js'
import { maskedIn } from '../../src/trust/audit/mask.js'
import { AnsweringCommand, REVEAL } from './command.js'
import { CliError, didYouMean } from './errors.js'
import { type Choice, chosen, findToken, findUser, severalNamed } from './names.js'
import { kindValue } from './option-values.js'

/** Which records a name may stand for: those that are there, those that are deleted, or first the one and then the other. */
export type Looked = 'live' | 'live, then deleted' | 'deleted, then live'

/**
 * The id of the record that a text names: by its id, or else by its name. Throws a `CliError` where there is none, or where
 * several go by the name, with what there is to choose from. What the log knows by this id, though it is erased, is found too.
 */
export async function recordId(ledger: Ledger, kind: RestorableKind, text: string, looked: Looked): Promise<string> {
  const { readModel } = ledger
  if (await readModel.get(kinds[kind].table, text)) return text
  if (looked !== 'live' && (await deletionOf(readModel, kind, text))) return text
  for (const step of looked.split(', then ')) {
    const found = await (step === 'live' ? liveNamed : deletedNamed)(readModel, kind, text)
    if (found !== null) return found
  }
  if (await isInLog(ledger, { streams: [`${kind}-${text}`] })) return text
  const help = await meantRecord(readModel, kind, text)
  const refusal = `${kinds[kind].title} not found: no ${nounOf(kinds[kind])} has the id or the name "${text}".`
  throw new CliError(refusal, { help })
}

/** The id that a text stands for in a list of ids: that of the record with this name, or else the text as it is. */
export async function idOrText(readModel: ReadStore, kind: RestorableKind, text: string): Promise<string> {
  if (text === '*' || (await readModel.get(kinds[kind].table, text))) return text
  return (await liveNamed(readModel, kind, text)) ?? text
}

/** True where the log has an event like this, be it erased. */
export async function isInLog({ storage }: Ledger, filter: LogFilter): Promise<boolean> {
  return (await storage.searchLog(filter, WHOLE_LOG, 1, false)).length > 0
}

async function liveNamed(readModel: ReadStore, kind: RestorableKind, text: string): Promise<string | null> {
  const { name, folded } = namesIn(sortKey(text))
  const alike: NamedRecord[] = []
  for await (const records of namesOfKind(readModel, kind))
    alike.push(...records.filter((one) => one.folded === folded))
  return chosen(name, kinds[kind].plural, await placed(readModel, kind, alike), (choice) => choice)?.id ?? null
}

async function placed(
  readModel: ReadStore,
  kind: RestorableKind,
  found: readonly NamedRecord[]
): Promise<readonly Choice[]> {
  if (!isMember(kind)) return found.map(({ id, name, createdAt }) => ({ id, name, where: `made ${createdAt}` }))
  const ids = found.flatMap(({ collectionId }) => collectionId ?? [])
  const rows = await readModel.getAll(collectionsTable, [...new Set(ids)], { body: false })
  const names = new Map(rows.map(({ id, sortKey }) => [id, namesIn(sortKey).name]))
  return found.map(({ id, name, collectionId }) => ({ id, name, where: `in ${names.get(collectionId ?? '') ?? '?'}` }))
}

async function deletedNamed(readModel: ReadStore, kind: RestorableKind, text: string): Promise<string | null> {
  const key = nameKey(text)
  const rows = (await listDeleted(readModel)).filter((row) => row.kind === kind)
  // The newest deletion of each says what it is called.
  const newest = [...new Map(rows.toReversed().map((row) => [row.subject, row])).values()]
  const alike = newest.filter(({ name }) => nameKey(name) === key)
  const choiceOf = ({ subject: id, name, at }: (typeof rows)[number]) => ({ id, name, where: `deleted ${at}` })
  return chosen(text, `deleted ${kinds[kind].plural}`, alike, choiceOf)?.subject ?? null
}

/** The line that asks whether another record of the kind was meant: of each collection the nearest name is compared. */
async function meantRecord(readModel: ReadStore, kind: RestorableKind, text: string): Promise<readonly string[]> {
  const near: string[] = []
  for await (const records of namesOfKind(readModel, kind)) {
    const one = closestName(
      text,
      records.map(({ name }) => name)
    )
    if (one !== undefined) near.push(one)
  }
  return didYouMean(text, near)
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
    work: (ledger: OpenLedger, id: string, kind: RestorableKind) => Promise<void>,
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

/**
 * The id of an account that is there, or else of one that the log knows, by its id or a name that it had. Throws a `CliError` where
 * there is none, or several were called so.
 */
export async function actorId(ledger: Ledger, text: string): Promise<string> {
  const user = await findUser(ledger.readModel, text)
  if (user) return user.id
  if (await isInLog(ledger, { streams: [`user-${text}`] })) return text
  const { accounts, names } = await accountsOnceNamed(ledger, text)
  const choices = [...accounts].map(([id, name]) => ({ id, name, where: 'was called so' }))
  const [first, ...others] = choices
  if (others.length > 0) throw severalNamed(text, 'accounts', choices)
  if (first) return first.id
  if (await isInLog(ledger, { actorId: text })) return text
  const meant = didYouMean(text, names)
  const help = meant.length === 0 ? ['See: hub user list'] : meant
  throw new CliError(`No account has or had the id or the name "${text}".`, { help })
}

/** The same of a token; of one that is gone by its id. */
export async function tokenId(ledger: Ledger, text: string): Promise<string> {
  const token = await findToken(ledger.readModel, text)
  if (token) return token.id
  // Those of accounts that are gone are in no list any more.
  if (await isInLog(ledger, { streams: [`token-${text}`] })) return text
  if (await isInLog(ledger, { tokenId: text })) return text
  throw new CliError(`No token has or had the id or the name "${text}".`, { help: ['See: hub user token list'] })
}

/** The same of anything that the log tells of; by its name where `kind` says what it is. */
export async function subjectId(ledger: Ledger, kind: string | undefined, text: string): Promise<string> {
  const streams = (kind === undefined ? STREAM_KINDS : [kind, 'audit', 'erasure']).map((one) => `${one}-${text}`)
  if (await isInLog(ledger, { streams })) return text
  if (kind === 'user') return actorId(ledger, text)
  if (kind === 'token') return tokenId(ledger, text)
  if (kind !== undefined && isRecord(kind)) return recordId(ledger, kind, text, 'live, then deleted')
  const help = kind === undefined ? ['With --kind its name will do, as in --kind collection --id Payments.'] : []
  throw new CliError(`The log knows nothing with the id "${text}".`, { help })
}
