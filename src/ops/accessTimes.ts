import { dirname } from 'node:path'
import { type Check, type Finding, finding, skipped } from './check.js'
import type { DoctorPorts } from './doctorPorts.js'

/** The file system of the SQLite file does not note when it is read. */
export const accessTimes: Check<DoctorPorts> = {
  name: 'access times',
  async run({ config, mountOf }) {
    const { db } = config()
    if (db.driver !== 'sqlite') return skipped('The database is no SQLite file.')
    return [accessTimesOn(await mountOf(db.path), dirname(db.path))]
  }
}

/** File systems on which noting an access waits for the commit of a journal. */
const JOURNALED: readonly string[] = ['ext3', 'ext4', 'xfs']

/** What is to be said of a database in this folder, which lies on this mount. */
export function accessTimesOn(mount: Mount | null, folder: string): Finding {
  if (mount === null) return finding('skipped', 'This system does not tell how its file systems are mounted.')
  const { point, type, options } = mount
  if (options.includes('noatime')) return finding('ok', `${point} is mounted with noatime.`)
  if (!JOURNALED.includes(type)) return finding('skipped', `Nothing is known of them on ${type}.`)
  // No warning: it would stay where `chattr +A` was run, and reading that attribute takes an ioctl.
  return finding(
    'ok',
    `${point} is mounted without noatime: reads of the database may wait while others write to the disk.`,
    `Mount it with noatime, or run chattr -R +A ${folder}, which does as well but cannot be seen from here.`
  )
}

/** A file system that is mounted somewhere. */
export interface Mount {
  readonly point: string
  /** Of which kind it is, ext4 for instance. */
  readonly type: string
  readonly options: readonly string[]
}

// Number, parent, device, root, mount point, options, any number of further fields, a dash, kind.
const LINE = /^\d+ \d+ \d+:\d+ \S+ (\S+) (\S+)(?: \S+)*? - (\S+) /

/** The mounts that a text like `/proc/self/mountinfo` tells of, in its order; lines of another form are left out. */
export function mountsIn(mountinfo: string): readonly Mount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [, point, options, type] = LINE.exec(line) ?? []
    if (point === undefined || options === undefined || type === undefined) return []
    return [{ point: unescaped(point), type, options: options.split(',') }]
  })
}

/** The mount that a path lies on, which must be absolute and without symbolic links; null where it lies on none. */
export function mountOver(mounts: readonly Mount[], path: string): Mount | null {
  const over = mounts.filter(({ point }) => `${path}/`.startsWith(point === '/' ? point : `${point}/`))
  // Of several at one point the last covers those before it.
  return over.reduce<Mount | null>((best, one) => (best && one.point.length < best.point.length ? best : one), null)
}

/** The kernel writes blanks, line breaks and backslashes of a path in octal. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
