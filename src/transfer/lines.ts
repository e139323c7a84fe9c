/** A line is longer than it may be. The message names it; nothing of it was kept. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong'
}

const NEWLINE = 0x0a
const RETURN = 0x0d

/** A line without its end, and how many bytes it has with it. */
export interface Line {
  readonly text: string
  readonly bytes: number
  /** False for a last line that nothing ends. */
  readonly isWhole: boolean
}

/**
 * The lines of a file, as its chunks come. Nothing more is held than the line that is being read, and that has so many bytes
 * at most: `LineTooLong` is thrown as soon as one has more.
 */
export async function* linesOf(input: AsyncIterable<Buffer | string>, bytesMax: number): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let held = 0
  let number = 1
  const line = (isWhole: boolean): Line => {
    const bytes = Buffer.concat(parts)
    const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length
    return { text: bytes.toString('utf8', 0, end), bytes: held + (isWhole ? 1 : 0), isWhole }
  }
  const hold = (part: Buffer) => {
    held += part.length
    if (held > bytesMax) throw new LineTooLong(`Line ${number} is longer than ${bytesMax} bytes.`)
    parts.push(part)
  }
  for await (const chunk of input) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      hold(bytes.subarray(from, end))
      yield line(true)
      parts = []
      held = 0
      number++
      from = end + 1
    }
    if (from < bytes.length) hold(bytes.subarray(from))
  }
  if (held > 0) yield line(false)
}
