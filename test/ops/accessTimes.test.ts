import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { accessTimesOn, mountOver, mountsIn } from '../../src/ops/accessTimes.js'
import { hostPorts } from '../../src/ops/host.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('access times of the disk')

const MOUNTINFO = String.raw`22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,noatime shared:1 - ext4 /dev/vda rw,discard
31 27 8:1 / /srv rw,relatime shared:7 master:2 - ext4 /dev/sda1 rw
32 31 8:2 /hub /srv/hub rw,noatime - xfs /dev/sdb1 rw,attr2
33 31 8:3 / /srv/my\040disk rw - ext4 /dev/sdc1 rw
34 31 0:40 / /srv/covered rw,relatime - ext4 /dev/sdd1 rw
35 34 0:41 / /srv/covered rw,nosuid - tmpfs - rw
no line of this kind
`

test('mounts are read with their options, whatever fields stand between, and blanks in their paths', () => {
  const mounts = mountsIn(MOUNTINFO)
  assert.is(mounts.length, 7)
  assert.equal(mounts[1], { point: '/', type: 'ext4', options: ['rw', 'noatime'] })
  assert.equal(mounts[2], { point: '/srv', type: 'ext4', options: ['rw', 'relatime'] })
  assert.equal(mounts[4], { point: '/srv/my disk', type: 'ext4', options: ['rw'] })
  assert.equal(mountsIn(''), [])
})

for (const [path, point, type] of [
  ['/var/lib/hub.sqlite', '/', 'ext4'],
  ['/', '/', 'ext4'],
  ['/srv', '/srv', 'ext4'],
  ['/srv/other/hub.sqlite', '/srv', 'ext4'],
  ['/srv/hub/data/hub.sqlite', '/srv/hub', 'xfs'],
  ['/srv/hubs/hub.sqlite', '/srv', 'ext4'],
  ['/srv/my disk/hub.sqlite', '/srv/my disk', 'ext4'],
  ['/srv/covered/hub.sqlite', '/srv/covered', 'tmpfs']
] as const) {
  test(`${path} lies on the ${type} at ${point}`, () => {
    const mount = mountOver(mountsIn(MOUNTINFO), path)
    assert.equal([mount?.point, mount?.type], [point, type])
  })
}

test('without mounts there is none to lie on', () => assert.is(mountOver([], '/srv'), null))

const found = (type: string, option: string) =>
  accessTimesOn({ point: '/srv', type, options: ['rw', option] }, '/srv/hub')

test('on any file system noatime is well', () => {
  for (const type of ['ext4', 'zfs'])
    assert.equal(found(type, 'noatime'), { state: 'ok', text: '/srv is mounted with noatime.' })
})

test('on one with a journal the operator gets advice, and nothing fails', () => {
  const advice = 'Mount it with noatime, or run chattr -R +A /srv/hub, which does as well but cannot be seen from here.'
  for (const [type, option] of [
    ['ext4', 'relatime'],
    ['xfs', 'strictatime']
  ] as const) {
    const text = '/srv is mounted without noatime: reads of the database may wait while others write to the disk.'
    assert.equal(found(type, option), { state: 'ok', text, advice })
  }
})

test('of others nothing is known', () => {
  assert.equal(found('tmpfs', 'relatime'), { state: 'skipped', text: 'Nothing is known of them on tmpfs.' })
})

test('where the system says nothing of its mounts, there is nothing to say', () => {
  assert.equal(accessTimesOn(null, '/srv/hub'), {
    state: 'skipped',
    text: 'This system does not tell how its file systems are mounted.'
  })
})

test('a file that is not there lies where its folder does, and links are followed', async () => {
  const { path } = await temporaryDirectory()
  const { mountOf } = hostPorts('server.yaml', () => {
    throw new Error('There is no configuration.')
  })
  mkdirSync(join(path, 'real'))
  symlinkSync('/proc', join(path, 'link'))
  const real = await mountOf(join(path, 'real'))
  assert.equal(await mountOf(join(path, 'real', 'not', 'there', 'hub.sqlite')), real)
  const linked = await mountOf(join(path, 'link', 'hub.sqlite'))
  assert.is(linked?.type, process.platform === 'linux' ? 'proc' : undefined)
})

test.run()
