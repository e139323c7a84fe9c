import { holds } from './client.js'
import { collectionContent, environmentContent, requestContent } from './content.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { succeeded } from './world.js'

// What is in a record is decided above the storage, so one driver tells it for all.
const { test, world } = hubSuite('records', sqlite)

test('a marker is trimmed, kept when it is not sent, and cleared by null or a blank', async () => {
  const path = `/environments/${await world.make('environments', { name: 'Marked', marker: ' #0af ' })}`
  for (const [more, marker] of [
    [{ name: 'Renamed' }, '#0af'],
    [{ marker: null }, null],
    [{ marker: 'red' }, 'red'],
    [{ marker: '  ' }, null]
  ] as const)
    holds((await world.by(world.owner).put(path, { ...environmentContent, ...more })).body, { marker })
})

test('text that is not a name is kept as it came, whatever is in it', async () => {
  const { put, get } = world.by(world.owner)
  const id = await world.collection()
  for (const odd of [
    'a\0b',
    'lone \u{d83d} half',
    '\u{202e}right\u{2028}to\u{feff}left',
    '😀'.repeat(300),
    '\\u0000 "\\" \'; DROP--'
  ]) {
    const variables = [{ key: odd, value: odd, defaultValue: odd, share: false, enabled: true }]
    const body = { ...collectionContent, variables, preRequestScript: odd, marker: `m${odd}m` }
    succeeded(await put(`/collections/${id}`, body))
    holds((await get(`/collections/${id}`)).body, { variables, preRequestScript: odd, marker: `m${odd}m` })
    const made = await world.make(`collections/${id}/requests`, { ...requestContent, url: odd, body: odd })
    holds((await get(`/requests/${made}`)).body, { url: odd, body: odd })
  }
})

test('more entries than a list may have, and thousands that are wrong, are refused with few words', async () => {
  const id = await world.collection()
  for (const [entries, error] of [
    [45_000, /^variables: More than 40000 entries$/],
    [30_000, /^variables\.0: .{1,100}$/]
  ] as const) {
    const body = { ...collectionContent, variables: Array(entries).fill(1) }
    await world.refused(400, () => world.by(world.owner).put(`/collections/${id}`, body), error)
  }
})

test.run()
