import type { Storage } from '../storage/storage.js'

/** So many headers are read at once. */
const PAGE = 1000

/** Which events belong to the command that the event at a position belongs to: the first and the last; null where there is no event. */
export async function commandAround(
  storage: Pick<Storage, 'readHeaders'>,
  position: number
): Promise<{ readonly first: number; readonly last: number } | null> {
  const [event] = await storage.readHeaders(position - 1, 1)
  if (!event) return null
  const isOfIt = ({ commandId }: { readonly commandId: string }) => commandId === event.commandId
  let first = position
  for (;;) {
    const after = Math.max(0, first - 1 - PAGE)
    const before = await storage.readHeaders(after, first - 1 - after)
    const other = before.findLastIndex((one) => !isOfIt(one))
    first = other < 0 ? after + 1 : after + other + 2
    if (other >= 0 || after === 0) break
  }
  let last = position
  for (;;) {
    const next = await storage.readHeaders(last, PAGE)
    const other = next.findIndex((one) => !isOfIt(one))
    last += other < 0 ? next.length : other
    if (other >= 0 || next.length < PAGE) return { first, last }
  }
}
