import type { Build, Fence, RowOp, Storage } from '../../src/storage/storage.js'

/** A generation that is being filled. */
interface Filling {
  readonly fence: () => Fence
  /** Applies changes; the position moves on by one unless told where to. */
  apply(ops: readonly RowOp[], position?: number): Promise<void>
}

/** Begins a generation anew, whoever has filled it before. */
export async function filling(storage: Storage, generation: number, label = 'v1'): Promise<Filling> {
  const builder = await storage.createGeneration(generation, await builderOf(storage, generation), label)
  return goingOn(storage, generation, { position: 0, builder })
}

/** Fills a generation from where it is. */
export function goingOn(
  storage: Storage,
  generation: number,
  { position, builder }: Pick<Build, 'position'> & { readonly builder: string }
): Filling {
  let fence = { generation, builder, position }
  return {
    fence: () => fence,
    async apply(ops, to = fence.position + 1) {
      await storage.apply(fence, ops, to)
      fence = { ...fence, position: to }
    }
  }
}

/** Whose a generation is. */
export async function builderOf(storage: Storage, generation: number): Promise<string | null> {
  return (await storage.buildOf(generation))?.builder ?? null
}
