import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'
import { z } from 'zod'
import type { LoggingConfig } from '../config/types.js'
import { isOpenToOthers, makePrivate } from '../lib/files.js'

const SECRETS = ['authorization', 'password', 'apiKey', 'secret', 'token']
const DEPTH = 3

/** What a hub says about itself, and where it goes. */
export interface Logs {
  readonly logger: Logger
  /** Goes on in a file of the same name where the one before was moved away. What goes wrong is logged, to the file before. */
  reopen(): void
}

/**
 * The logger of a configuration: lines to the console, the file, both or nowhere, as JSON or for people. A new file is
 * its owner's alone, and one that is open to others is told of. Secrets are blotted out under
 * their usual names down to four levels. Throws the file system's error when the file cannot be opened.
 */
export function createLogger({ level, format, file: path, console }: LoggingConfig, terminal: Writable): Logs {
  // One that is there may have been given to those who collect logs: it is only told of.
  const wasThere = path !== undefined && existsSync(path)
  const file = path === undefined ? null : new LogFile(path, (line) => terminal.write(line))
  const paths = SECRETS.flatMap((name) => Array.from({ length: DEPTH + 1 }, (_, depth) => '*.'.repeat(depth) + name))
  const outputs = [...(console ? [terminal] : []), ...(file ? [file] : [])]
  const streams = outputs.map((output) => ({
    level,
    stream: format === 'json' ? output : { write: (line: string) => void output.write(readable(line)) }
  }))
  const logger = pino({ level, redact: { paths, censor: '[redacted]' } }, pino.multistream(streams))
  if (wasThere && isOpenToOthers(path)) logger.warn({ file: path }, 'the log file can be read by others than its owner')
  return {
    logger,
    reopen() {
      try {
        file?.reopen()
      } catch (err) {
        logger.error({ err }, 'the log file cannot be opened again')
      }
    }
  }
}

/** A file that lines are appended to, each on the disk's way when `write` returns: the last before an end are in it too. */
class LogFile {
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

const WIDTH = 5

const entry = z.looseObject({ level: z.number(), time: z.number(), msg: z.string().optional() })
const failure = z.looseObject({ stack: z.string() })

/** Fields that are the same in every line of a process. */
const CONSTANT = new Set(['level', 'time', 'msg', 'pid', 'hostname'])
/** What needs no quotes. */
const PLAIN = /^[\p{L}\p{N}_.,:;/@%+*()[\]{}-]+$/u
/** What a terminal would obey, or not show. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

/** A JSON line of the log as people read it: time, level, what it says, and its fields as `name=value`, all on one line. */
export function readable(line: string): string {
  const { level, time, msg = '', ...rest } = entry.parse(JSON.parse(line))
  const fields = Object.entries(rest)
    .filter(([name]) => !CONSTANT.has(name))
    .map(([name, value]) => `${shown(name)}=${shown(value)}`)
  const label = (pino.levels.labels[level]?.toUpperCase() ?? String(level)).padEnd(WIDTH)
  return `${[new Date(time).toISOString(), label, escaped(msg), ...fields].join(' ')}\n`
}

function shown(value: unknown): string {
  // The first of its lines names the error; where it was thrown is behind it.
  const stack = failure.safeParse(value)
  const text = stack.success ? stack.data.stack : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return PLAIN.test(text) ? text : escaped(JSON.stringify(text))
}

function escaped(text: string): string {
  return text.replace(UNSEEN, (found) =>
    Array.from({ length: found.length }, (_, i) => `\\u${found.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')
  )
}
