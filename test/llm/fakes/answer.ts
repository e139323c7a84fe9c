/** What a fake provider is to answer, whatever its language. */
export interface FakeAnswer {
  readonly text?: string
  readonly thought?: string
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly usage?: readonly [prompt: number, completion: number]
}

/** A text in pieces of a few characters, as models write it. */
export function piecesOf(text: string, size = 5): readonly string[] {
  return [...text].reduce<string[]>((pieces, char) => {
    const last = pieces.at(-1)
    if (last === undefined || [...last].length >= size) pieces.push(char)
    else pieces[pieces.length - 1] = last + char
    return pieces
  }, [])
}
