import { z } from 'zod'
import { GENESIS, type Link, link } from '../../src/log/chain.js'
import type { StoredEvent } from '../../src/log/event.js'
import type { Finding } from './finding.js'

const sealed = z.object({ text: z.null(), salt: z.null(), commitment: z.string() })
const logEntrySchema = z.object({
  position: z.int(),
  stream: z.string(),
  version: z.int(),
  type: z.string(),
  schema: z.int(),
  at: z.string(),
  commandId: z.string(),
  actorId: z.string(),
  tokenId: z.string().nullable(),
  requestId: z.string().nullable(),
  correlationId: z.string().nullable(),
  causation: z.int().nullable(),
  who: sealed,
  payload: sealed,
  chain: z.string(),
  /** What the event makes of its record, as clients write and read it: null deletes it; absent where it changes nothing of that. */
  content: z.string().nullable().optional(),
  /** False for an event that followers are not told of. */
  isTold: z.boolean()
})

/** An event of the final log without its texts, and what a history says of it. */
export type LogEntry = Readonly<z.infer<typeof logEntrySchema>>

/** An entry of the final log from the event. */
export function logEntryOf(event: StoredEvent, content: string | null | undefined, isTold = true): LogEntry {
  const { who, payload, ...envelope } = event
  const without = ({ commitment }: StoredEvent['who']) => ({ text: null, salt: null, commitment })
  return { ...envelope, who: without(who), payload: without(payload), content, isTold }
}

/** A final log from its lines of JSON. */
export function parseLog(text: string): readonly LogEntry[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => logEntrySchema.parse(JSON.parse(line)))
}

/** A final log as lines of JSON. */
export function logText(log: readonly LogEntry[]): string {
  return log.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

/** That positions are contiguous from 1, versions in each stream too, a command is in one piece, and the chain verifies. */
export function checkLog(log: readonly LogEntry[], links: Link = link): readonly Finding[] {
  const findings: Finding[] = []
  const wrong = (kind: Finding['kind'], text: string) => void findings.push({ kind, text })
  const versions = new Map<string, number>()
  const commands = new Set<string>()
  let chain = GENESIS
  for (const [i, entry] of log.entries()) {
    const { position, stream, version, commandId } = entry
    if (position !== i + 1) wrong('broken', `Position ${position} stands where ${i + 1} should.`)
    if (version !== (versions.get(stream) ?? 0) + 1)
      wrong('broken', `Version ${version} of ${stream} is at ${position}.`)
    if (links(chain, entry) !== entry.chain) wrong('broken', `The chain breaks at position ${position}.`)
    const isNext = log[i - 1]?.commandId === commandId
    if (!isNext && commands.has(commandId)) wrong('twice', `The command of position ${position} stands earlier too.`)
    versions.set(stream, version)
    commands.add(commandId)
    chain = entry.chain
  }
  return findings
}
