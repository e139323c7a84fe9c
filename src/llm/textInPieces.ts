/** A text that comes in pieces and is put together once, at its end. */
export class TextInPieces {
  readonly #pieces: string[] = []

  add(piece: string): void {
    if (piece !== '') this.#pieces.push(piece)
  }

  whole(): string {
    return this.#pieces.join('')
  }
}
