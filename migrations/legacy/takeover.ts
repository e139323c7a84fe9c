import type { Avatar } from '../../commands/people/avatar/avatar.js'
import { emitImported, importedKinds } from '../../commands/takeover/events.js'
import { emitHub, HUB_ID, HUB_NAME } from '../../commands/tenants/hub/events.js'
import type { NewEvent } from '../../src/log/event.js'
import { avatarTaken, type PutImage } from './avatars.js'
import { contents, standalone, type Taking } from './contents.js'
import { devices } from './devices.js'
import { comments, wishes } from './discussions.js'
import { liveRecords } from './live.js'
import { noticesRead, type ReadThere, toldSince } from './notices.js'
import { Places } from './places.js'
import { userImported } from './records.js'
import { type Sink, sinkOf, type Take } from './sink.js'
import type { LegacySource } from './source.js'
import { type Here, tokens } from './tokens.js'
import { usage } from './usage.js'
import { namedHere, type People, peopleOf, type User } from './users.js'

/** What is kept beside the log, and taken there. */
export interface Beside {
  readonly putImage: PutImage
  /** When each token was used last. */
  tokensUsed(uses: ReadonlyMap<string, string>): Promise<void>
  /** What each user has read of what notices tell of, when everything is taken. */
  noticesRead(read: ReadonlyMap<string, ReadThere>): Promise<void>
}

/** Takes an older hub over: its rows become events, with their ids, times and creators. Reports go to the source. */
export async function takeOver(
  source: LegacySource,
  take: Take,
  beside: Beside,
  here: Here,
  now: string
): Promise<void> {
  const sink = sinkOf(take)
  const users: User[] = []
  for await (const { avatarImage: _, ...user } of source.records('users')) users.push(user)
  const people = peopleOf(users)
  const named = namedHere(users, here.names)
  for (const note of named.notes) source.report('users').notes.push(note)
  const names = new Map(named.users.map(({ user, name }) => [user.id, name]))
  await accounts(source, sink, beside, people, names)
  await hubItself(source, sink, beside)
  const uses = await tokens(source, sink, people, named.bootstrapId, here, now)
  const taking: Taking = { people, places: new Places(), since: toldSince(now) }
  const runResults = await standalone(source, sink, taking)
  await liveRecords(source, sink, people)
  const savedBy = await contents(source, sink, taking)
  const said = await comments(source, sink, taking)
  await wishes(source, sink, people, said)
  await devices(source, sink, people, taking.places)
  await usage(source, sink)
  await auditEntries(source, sink)
  const readers = new Set(named.users.filter(({ user }) => user.role === 'user').map(({ user }) => user.id))
  const read = await noticesRead(source, people, readers, { savedBy, runResults, comments: said }, now)
  await sink.flush()
  await beside.tokensUsed(uses)
  await beside.noticesRead(read)
  const taken = Object.fromEntries([...source.reports].map(([table, report]) => [table, report.taken]))
  await sink.end(emitImported(source.tenant, 'TakeoverCompleted', { tables: taken }))
}

async function accounts(
  source: LegacySource,
  sink: Sink,
  { putImage }: Beside,
  people: People,
  names: ReadonlyMap<string, string>
): Promise<void> {
  for await (const user of source.records('users')) {
    const name = names.get(user.id)
    if (name === undefined) continue
    const avatar = await avatarTaken(source, 'users', user, putImage)
    await sink.add(source, 'users', userImported(user, name, avatar, people))
  }
}

/** Takes over what stands for the hub. Its name has no home here. */
async function hubItself(source: LegacySource, sink: Sink, { putImage }: Beside): Promise<void> {
  for await (const tenant of source.records('tenants')) {
    const avatar: Avatar | null = await avatarTaken(source, 'tenants', tenant, putImage)
    if (avatar) await sink.add(source, 'tenants', emitHub(HUB_ID, 'HubAvatarChanged', avatar))
    else source.report('tenants').taken++
    if (tenant.name !== HUB_NAME) source.leaveOut('tenants', `the name of the hub, "${tenant.name}"`)
  }
}

async function auditEntries(source: LegacySource, sink: Sink): Promise<void> {
  for await (const { id, tenantId: _, metadata, ...entry } of source.records('audit_log')) {
    const data = { ...entry, metadata: metadata ?? null }
    await sink.add(source, 'audit_log', emitImported(id, 'AuditEntryImported', data))
  }
}

/** The stream that says that a tenant is taken over. */
export function markerOf(tenant: string): string {
  return `takeover-${tenant}`
}

const BEGUN = 'begun'
/** The stream that says which tenants somebody has begun to take over. */
export const BEGUN_STREAM = `${importedKinds.TakeoverBegun}-${BEGUN}`

/** The event that says so. */
export function begunEvent(tenant: string): NewEvent {
  return emitImported(BEGUN, 'TakeoverBegun', { tenant })
}
