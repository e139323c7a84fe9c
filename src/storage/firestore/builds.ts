import { randomUUID } from 'node:crypto'
import { isBulk } from '../rowOps.js'
import { type Build, BuildLost, type Fence, type RowOp } from '../storage.js'
import type { Client } from './client.js'
import { Refused } from './errors.js'
import { BUILDS, numberId } from './layout.js'
import { withPatience } from './patience.js'
import { decode, encode, type Fields, integerOf, textOf } from './values.js'
import { type Document, isSameTime, type ServerTime } from './wire.js'
import type { Write } from './writes.js'

// What fills or removes a generation goes out in many requests. Each of them asks that the document of the build is the one
// that its builder knows: it is written as it is, which changes nothing and is refused where somebody else has written it.

const ATTEMPTS_MAX = 6

/** Where it is remembered how far a generation has come, beside the log. */
export const buildName = (aside: string, generation: number) => `${aside}/${BUILDS}/${numberId(generation)}`

/** A builder's hold on a generation. Everything done through it throws `BuildLost` once the generation is another's. */
export interface Hold {
  /** All or nothing, as a client's commit. It may happen twice. */
  commit(writes: readonly Write[]): Promise<void>
  /** Changes some fields of the build itself. */
  change(fields: Fields): Promise<void>
  /** When the build's document last changed, read anew. */
  updateTime(): Promise<ServerTime>
}

/** How far a generation has come; null where nothing is known of it. */
export async function readBuild(client: Client, name: string): Promise<Build | null> {
  const document = await read(client, name)
  return document ? buildIn(document) : null
}

/** The hold of the builder of a fence; `position` is not looked at where it is left out. */
export function holdOf(client: Client, name: string, fence: Omit<Fence, 'position'> & Partial<Fence>): Hold {
  const { generation, builder, position } = fence
  let known: ServerTime | undefined
  const updateTime = async () => {
    const document = await read(client, name)
    const build = document && buildIn(document)
    const isHeld = build?.builder === builder && (position === undefined || build.position === position)
    if (!document || !isHeld) throw new BuildLost(generation)
    known = document.updateTime
    return known
  }
  const persistently = async (writesAt: (time: ServerTime) => readonly Write[]) => {
    for (let attempt = 1; ; attempt++) {
      const time = known ?? (await updateTime())
      try {
        await withPatience(() => client.commit(writesAt(time)))
        return
      } catch (error) {
        if (!(error instanceof Refused) || attempt === ATTEMPTS_MAX) throw error
        // Where the build is as it was, something else was refused.
        if (isSameTime(await updateTime(), time) && error.why !== 'contended') throw error
      }
    }
  }
  return {
    commit: (writes) =>
      persistently((time) => [
        { set: name, fields: { builder: encode(builder) }, mask: ['builder'], only: { updateTime: time } },
        ...writes
      ]),
    change: (fields) =>
      persistently((time) => [{ set: name, fields, mask: Object.keys(fields), only: { updateTime: time } }]),
    updateTime
  }
}

/**
 * Takes a generation over from `over`, null for nobody, and returns the new builder. Throws `BuildLost` where it is another's by
 * now, or where `isLive` says that it is read.
 */
export async function claim(
  client: Client,
  name: string,
  generation: number,
  over: string | null,
  isLive: () => Promise<boolean>
): Promise<string> {
  const document = await read(client, name)
  // In this order: a switch after the first look changes the document.
  const isOthers = ((document && buildIn(document).builder) ?? null) !== over
  if (isOthers || (await isLive())) throw new BuildLost(generation)
  const builder = randomUUID()
  const fields = { builder: encode(builder), ...(!document && { position: encode(0), label: encode('') }) }
  const only = document ? { updateTime: document.updateTime } : { exists: false }
  try {
    await client.commit([{ set: name, fields, mask: Object.keys(fields), only }])
  } catch (error) {
    if (error instanceof Refused) throw new BuildLost(generation, { cause: error })
    throw error
  }
  return builder
}

/**
 * Applies changes and remembers how far they take a generation. A process can end between two of the requests. Rows that are
 * named can be written again without harm; bulk changes cannot, since they would find rows that were not there the first
 * time: with those, nobody can go on before all of it is done.
 */
export async function applyHolding(
  hold: Hold,
  ops: readonly RowOp[],
  position: number,
  apply: (commit: Hold['commit']) => Promise<void>
): Promise<void> {
  const isRepeatable = !ops.some(isBulk)
  if (!isRepeatable) await hold.change({ isUnfinished: encode(true) })
  await apply(hold.commit)
  await hold.change({ position: encode(position), isUnfinished: encode(false) })
}

/** What makes a generation the live one in the commit that says so, and remembers the one that was live before. */
export function switchWrites(
  aside: string,
  { generation, position, label }: { readonly generation: number; readonly position: number; readonly label: string },
  to: Fence,
  updateTime: ServerTime
): readonly Write[] {
  const nobodys = () => encode(randomUUID())
  const left = { position: encode(position), label: encode(label), builder: nobodys() }
  return [
    { set: buildName(aside, to.generation), fields: { builder: nobodys() }, mask: ['builder'], only: { updateTime } },
    { set: buildName(aside, generation), fields: left }
  ]
}

async function read(client: Client, name: string): Promise<Document | undefined> {
  return (await client.get([name])).documents[0]
}

function buildIn({ fields }: Document): Build {
  return {
    position: integerOf(fields.position) ?? 0,
    label: decode('flag', fields.isUnfinished) === true ? '' : (textOf(fields.label) ?? ''),
    builder: textOf(fields.builder)
  }
}
