import { z } from 'zod'
import type { StateStore } from '../../storage/storage.js'

/** The last backup of a log: when it was made, up to which position, and under which name. */
const made = z.object({ at: z.string(), position: z.number(), file: z.string() })
export type MadeBackup = z.infer<typeof made>

const KEY = 'backup-made'

/** Notes that a backup was made. Where that cannot be noted the backup is there all the same, so nothing rejects. */
export async function noteBackup(state: StateStore, backup: MadeBackup): Promise<void> {
  try {
    const entry = await state.get(KEY)
    await state.put(KEY, JSON.stringify(backup), entry?.mark ?? null)
  } catch {
    // The next one is noted again.
  }
}

/** The last backup that was noted; null where there is none. */
export async function lastBackup(state: Pick<StateStore, 'get'>): Promise<MadeBackup | null> {
  const entry = await state.get(KEY)
  return entry ? (made.safeParse(JSON.parse(entry.text)).data ?? null) : null
}
