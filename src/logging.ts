import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'
import type { LoggingConfig } from './config/types.js'
import { isOpenToOthers } from './files.js'
import { LogFile } from './logFile.js'
import { readable } from './logLine.js'

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
