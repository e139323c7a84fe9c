import { dirname } from 'node:path'
import type { Check, Finding } from './check.js'
import type { DoctorPorts } from './doctorPorts.js'
import type { Mount } from './mounts.js'

/** The file system of the SQLite file does not note when it is read. */
export const accessTimes: Check<DoctorPorts> = {
  name: 'access times',
  async run({ config, mountOf }) {
    const { db } = config()
    if (db.driver !== 'sqlite') return [{ state: 'skipped', text: 'The database is no SQLite file.' }]
    return [accessTimesOn(await mountOf(db.path), dirname(db.path))]
  }
}

/** File systems on which noting an access waits for the commit of a journal. */
const JOURNALED: readonly string[] = ['ext3', 'ext4', 'xfs']

/** What is to be said of a database in this folder, which lies on this mount. */
export function accessTimesOn(mount: Mount | null, folder: string): Finding {
  if (mount === null) return { state: 'skipped', text: 'This system does not tell how its file systems are mounted.' }
  const { point, type, options } = mount
  if (options.includes('noatime')) return { state: 'ok', text: `${point} is mounted with noatime.` }
  if (!JOURNALED.includes(type)) return { state: 'skipped', text: `Nothing is known of them on ${type}.` }
  // No warning: it would stay where `chattr +A` was run, and reading that attribute takes an ioctl.
  return {
    state: 'ok',
    text: `${point} is mounted without noatime: reads of the database may wait while others write to the disk.`,
    advice: `Mount it with noatime, or run chattr -R +A ${folder}, which does as well but cannot be seen from here.`
  }
}
