import { noAuth } from '../../commands/content.js'
import type { Command } from '../../commands/index.js'
import { recordEvent } from '../../commands/records/kind.js'
import {
  collectionKind,
  environmentKind,
  livePageKind,
  liveServerKind,
  snippetKind
} from '../../commands/records/kinds.js'
import { livePageContent, liveServerContent } from '../http/content.js'
import { suite } from '../support/suite.js'
import { atFirst, CHANGED, given } from './given.js'
import { ada, bob, nil, ops, someone } from './people.js'

const name = 'One'
const held = { folders: [], requests: [], documents: [] }
const [server, page] = [
  { ...liveServerContent, name },
  { ...livePageContent, name }
]
const text = { name, code: '', scope: 'any' }
const collection = { name, variables: [], headers: [], auth: noAuth, preRequestScript: '', postRequestScript: '' }

/** Of each kind that stands on its own what its command to make one brings, what it holds then, and what its deletion tells. */
const kinds = [
  { kind: collectionKind, made: { name }, content: { ...collection, marker: null }, deletion: held },
  { kind: environmentKind, made: { name }, content: { name, variables: [], marker: null, parentUuid: null } },
  { kind: snippetKind, made: { content: text }, content: { ...text, sortOrder: 0 }, lock: 'ManageSnippet' },
  { kind: liveServerKind, made: { content: server }, content: server },
  { kind: livePageKind, made: { content: page }, content: page }
]

for (const { kind, made, content, deletion = {}, lock = `Lock${kind.label}` } of kinds) {
  const { label, title, plural, access } = kind
  const test = suite(`deciding on ${plural}, as on all that stands on its own`)
  const command = (type: string, more: object = {}) => ({ type, id: 'x', ...more }) as Command
  const event = (what: Parameters<typeof recordEvent>[2], data: object = {}) => recordEvent(kind, 'x', what, data)
  const [locked, unlocked, created] = [event('DeletionLocked'), event('DeletionUnlocked'), event('Created', content)]
  const renamed = { content: { ...content, name: 'Other' } }
  const [create, update] = [command(`Create${label}`, made), command(`Update${label}`, renamed)]
  const [remove, removeAsAdmin] = [command(`Delete${label}`), command(`Delete${label}AsAdmin`)]
  const locking = (deletionLocked: boolean) => command(lock, { deletionLocked })
  const [updated, deleted] = [event('Updated', renamed.content), event('Deleted', { name, ...deletion })]
  const [onlyThis, onlyAnother] = [someone({ [access]: ['x'] }), someone({ [access]: ['y'] })]
  const there = given(created)
  const admin = { by: ops }

  test('whoever has the wildcard makes one, and administrators never do', async () => {
    await atFirst.when(create).then(created)
    for (const by of [nil, onlyThis, ops]) await atFirst.when(create, { by }).refused('Forbidden', 403)
  })

  test('whoever has access updates it, whoever made it, and deletes it, a collection as its creator', async () => {
    for (const by of [ada, bob, onlyThis]) {
      await there.when(update, { by }).then(updated)
      if (kind !== collectionKind || by === ada) await there.when(remove, { by }).then(deleted)
      else await there.when(remove, { by }).refused('Forbidden', 403)
    }
  })

  test('nobody else does, whether it is there or not', async () => {
    for (const past of [there, atFirst])
      for (const by of [nil, onlyAnother, ops])
        for (const change of [update, remove]) await past.when(change, { by }).refused('Forbidden', 403)
  })

  test('an update that changes nothing is no event', () => there.when(command(`Update${label}`, { content })).nothing())

  test('a locked one is changed as before, and deleted by administrators only', async () => {
    const shut = there.and(locked)
    for (const by of [ada, bob])
      await shut.when(remove, { by }).refused(`Deletion is locked for this ${title.toLowerCase()}.`, 403)
    await shut.when(update).then(updated)
    await shut.when(removeAsAdmin, admin).then(deleted)
    await shut.and(unlocked).when(remove).then(deleted)
  })

  test('only administrators lock, unlock and delete as such, and a lock that is so already is no event', async () => {
    await there.when(locking(true), admin).then(locked)
    await there.when(locking(false), admin).nothing()
    await there.and(locked).when(locking(true), admin).nothing()
    await there.and(locked).when(locking(false), admin).then(unlocked)
    for (const one of [locking(true), locking(false), removeAsAdmin]) await there.when(one).refused('Forbidden', 403)
  })

  test('an unknown one is not found', async () => {
    for (const one of [update, remove]) await atFirst.when(one).refused(`${title} not found`, 404)
    for (const one of [locking(true), removeAsAdmin]) await atFirst.when(one, admin).refused(`${title} not found`, 404)
  })

  test('a change that expects another revision is refused, also after a lock', async () => {
    const past = there.and(locked, unlocked)
    for (const one of [update, remove])
      for (const ifRevision of [[1], []]) await past.when({ ...one, ifRevision } as Command).refused(CHANGED, 412)
    await past.when({ ...remove, ifRevision: [3] } as Command).then(deleted)
    await past.when({ ...locking(true), ifRevision: [2] } as Command, admin).refused(CHANGED, 412)
    await past.when({ ...locking(true), ifRevision: [3] } as Command, admin).then(locked)
  })

  test.run()
}
