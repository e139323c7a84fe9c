import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { makePrivate } from './files.js'

/** A file that lines are appended to, each on the disk's way when `write` returns: the last before an end are in it too. */
export class LogFile {
  readonly #path: string
  readonly #tell: (line: string) => void
  #fd: number
  #isLost = false

  /** Opens the file, which is made its owner's alone. Throws the file system's error. `tell` gets a line when writing fails. */
  constructor(path: string, tell: (line: string) => void) {
    this.#path = path
    this.#tell = tell
    this.#fd = opened(path)
  }

  /** Appends a line. On a full disk it is lost, which is told once: a hub does not end for want of room for its log. */
  write(line: string): void {
    try {
      writeSync(this.#fd, line)
      this.#isLost = false
    } catch (error) {
      if (this.#isLost) return
      this.#isLost = true
      const why = error instanceof Error ? error.message : String(error)
      this.#tell(`The log file ${this.#path} cannot be written, and lines are lost: ${why}\n`)
    }
  }

  /** Goes on in the file that has the name now, which is made where it was moved away. Throws as the constructor, and then goes on as before. */
  reopen(): void {
    const before = this.#fd
    this.#fd = opened(this.#path)
    closeSync(before)
  }
}

function opened(path: string): number {
  if (!existsSync(path)) makePrivate(path)
  return openSync(path, 'a')
}
