import { z } from 'zod'
import { NEWEST } from '../../migrations/index.js'
import { versions } from '../../projections/index.js'
import { errors } from '../errors.js'
import { canonicalJson } from '../log/canonical.js'
import type { Head } from '../log/event.js'
import type { HeadGuard } from '../log/headGuard.js'
import { type Storage, StorageUnavailable } from '../storage/storage.js'

/** What a log is written under: the number of the last migration, and the version of each projector. */
const writing = z.object({ schema: z.number(), projections: z.record(z.string(), z.number()) })
export type Writing = z.infer<typeof writing>

/** The number of the last migration that this release knows. */
export const SCHEMA = NEWEST
/** What this release names in the head of a log that it writes. */
export const WRITTEN_HERE = textOfWriting({ schema: SCHEMA, projections: versions })

/** What it names in the head of a log that it has closed: nothing is written behind that, until it is opened. */
export const CLOSED_HERE = canonicalJson({ closed: true, schema: SCHEMA, projections: versions })
const closing = z.object({ closed: z.literal(true) })

/** True where a log is closed: it can be read, and nobody writes to it. */
export function isClosed({ writtenUnder }: Head): boolean {
  if (writtenUnder === undefined || writtenUnder === WRITTEN_HERE) return false
  return closing.safeParse(jsonOf(writtenUnder)).success
}

/** How the head says it. */
export function textOfWriting({ schema, projections }: Writing): string {
  return canonicalJson({ schema, projections })
}

/** What a head says that it is written under; null where it says nothing that this release can read. */
export function writingOf({ writtenUnder }: Head): Writing | null {
  return writtenUnder === undefined ? null : (writing.safeParse(jsonOf(writtenUnder)).data ?? null)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * How a log stands to this release: `newer` where its schema or one of its projectors is one that is not known here, `older`
 * where `hub migrate` brings it forward.
 */
export function releaseOf(head: Head): 'current' | 'older' | 'newer' {
  if (isOfThisRelease(head)) return 'current'
  if (head.writtenUnder === undefined) return 'older'
  const written = writingOf(head)
  return written && newerIn(written).length === 0 ? 'older' : 'newer'
}

function isOfThisRelease({ writtenUnder }: Head): boolean {
  return writtenUnder === WRITTEN_HERE || writtenUnder === CLOSED_HERE
}

/** True where the schema is one that only a newer release knows. */
export function isNewerSchema(head: Head): boolean {
  const written = writingOf(head)
  return head.writtenUnder !== undefined && (written === null || written.schema > SCHEMA)
}

/** What an operator does about a log that is `newer`, or `older`. */
export function remedyFor(head: Head): string {
  if (releaseOf(head) === 'older')
    return 'The read tables were built by another version of the hub. Run `hub migrate` first.'
  const written = writingOf(head)
  const what = written ? ` (${newerIn(written).join(', ')})` : ''
  return `A newer version of the hub writes to this database${what}. Start that version.`
}

function newerIn({ schema, projections }: Writing): readonly string[] {
  const newer = Object.entries(projections).filter(([table, version]) => version > (versions[table] ?? 0))
  return [
    ...(schema > SCHEMA ? [`schema ${schema}, here ${SCHEMA}`] : []),
    ...newer.map(([table, version]) => `${table} ${version}, here ${versions[table] ?? 'none'}`)
  ]
}

/** Another release of the hub writes to the log; the message says why, and what to do. Nothing is written here any more. */
export class Superseded extends StorageUnavailable {
  constructor(head: Head) {
    super(`This hub has stopped: the database was changed by another version since it started. ${remedyFor(head)}`)
  }
}

/**
 * Stops a storage when the head names something else than this release writes under: whoever asks for it gets `Superseded`, and
 * `tell` is told the first time. A commit continues a head that was seen, and so fails from then on too.
 */
export function ofThisRelease(tell: (superseded: Superseded) => void = () => {}): HeadGuard {
  let isTold = false
  return {
    check(head) {
      if (isOfThisRelease(head)) return
      const superseded = new Superseded(head)
      if (!isTold) tell(superseded)
      isTold = true
      throw superseded
    }
  }
}

/** The same storage, which refuses to write behind what is closed with `errors.tenantMoving`. */
export function unlessClosed(storage: Storage): Storage {
  return {
    ...storage,
    async commit(commit) {
      if (!isClosed(commit.after)) return storage.commit(commit)
      if (isClosed(await storage.head())) throw errors.tenantMoving()
      // It was opened again, where it is: whoever writes has to read the head anew.
      return 'stale'
    },
    write: (decide) =>
      storage.write(async (head) => {
        if (isClosed(head)) throw errors.tenantMoving()
        return decide(head)
      })
  }
}
