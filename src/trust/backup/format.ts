import { z } from 'zod'
import { SCHEMA } from '../../ledger/release.js'
import type { Head } from '../../log/event.js'

/** The name of the format, with its version. */
export const FORMAT = 'collections-hub-backup/2'
/** That of versions before 1.0.0, which differs in nothing but the schema that it names: numbers of its own, none of which counts here. */
const FORMER_FORMAT = 'collections-hub-backup/1'

/** A backup cannot be made, or a file is none that can be used; the message says what is wrong, where, and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

const count = z.int().min(0)
const sealedFrom = z.object({ keyId: z.string(), from: z.int().min(1) }).nullable()
const place = z.object({ position: count, chain: z.string(), at: z.string(), generation: z.int().min(1) })

/** The first line of each backup. `after` is the place in the log behind which the events of the file begin: position 0 in a full backup. */
const header = z.object({
  format: z.enum([FORMAT, FORMER_FORMAT]),
  release: z.string(),
  madeAt: z.string(),
  schema: count,
  projections: z.record(z.string(), z.number()),
  after: place,
  sealed: sealedFrom
})

/** When the tokens, by their ids, were last used: some lines, after the events. */
const use = z.tuple([z.string(), z.string()])
const uses = z.object({ tokenUses: z.array(use) })

/** An image of an account or of the hub: a line each, after the uses of tokens. */
const image = z.object({ image: z.object({ sha256: z.string(), base64: z.string() }) })

/**
 * The line before the last: where the log ends in this file, and how much there is of everything. `tables` are the digests of
 * the live read tables as they were at one position.
 */
const end = z.object({
  end: place.extend({
    sealed: sealedFrom,
    events: count,
    tokenUses: count,
    // Releases before this one knew none.
    images: count.default(0),
    tables: z
      .object({
        position: count,
        digests: z.array(z.object({ table: z.string(), rows: count, sha256: z.string() }))
      })
      .nullable()
  })
})

const beside = z.union([uses, image, end])

/** The last line: the sha256 of everything before it, from the header on. */
const sum = z.object({ sha256: z.string() })

/** A place in a log, as files name it. */
export function placeOf({ position, chain, at, generation }: Head): z.infer<typeof place> {
  return { position, chain, at, generation }
}

export type Header = z.infer<typeof header>
export type TokenUse = Readonly<z.infer<typeof use>>
export type Image = z.infer<typeof image>['image']
export type End = z.infer<typeof end>['end']

const anyHeader = z.object({ format: z.string(), release: z.string().optional(), schema: z.number().optional() })

/** True for the header of a backup, whatever its version. */
export function isHeader(line: string): boolean {
  return parsed(anyHeader, line)?.format.startsWith('collections-hub-backup/') === true
}

/** The header on a line, which has a number in a file. Throws `BackupError` for what is no backup, or one of a newer release. */
export function headerOf(line: string, number: number, file: string): Header {
  const read = parsed(anyHeader, line)
  if (!read || !isHeader(line)) throw new BackupError(`${file} is not a backup of a hub.`)
  const { format, release = 'unknown', schema = 0 } = read
  if (format !== FORMER_FORMAT && (format !== FORMAT || schema > SCHEMA))
    throw new BackupError(
      `${file} was written by a newer version of the hub, ${release} (${format}, schema ${schema}; here ${FORMAT}, schema ${SCHEMA}). Use that version.`
    )
  const found = parsed(header, line)
  if (!found) throw new BackupError(`${file}, line ${number}: the header is damaged.`)
  return found
}

/** What is on a line behind the events; null where it holds something else. */
export function besideOf(line: string): z.infer<typeof beside> | null {
  return parsed(beside, line)
}

/** The sum on a line; null where it holds something else. */
export function sumOf(line: string): string | null {
  return parsed(sum, line)?.sha256 ?? null
}

type Line = Header | z.infer<typeof beside | typeof sum>

/** A value as a line of the file. */
export function lineOf(value: Line): string {
  return `${JSON.stringify(value)}\n`
}

function parsed<T>(schema: z.ZodType<T>, line: string): T | null {
  try {
    return schema.parse(JSON.parse(line))
  } catch {
    return null
  }
}
