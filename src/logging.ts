import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'
import type { LoggingConfig } from './config/types.js'
import { isOpenToOthers, makePrivate } from './files.js'

const SECRETS = ['authorization', 'password', 'apiKey', 'secret', 'token']
const DEPTH = 3

/**
 * The logger of a configuration: JSON lines to the console, the file, both or nowhere. A new file is
 * its owner's alone, and one that is open to others is told of. Secrets are blotted out under
 * their usual names down to four levels. Throws the file system's error when the file cannot be opened.
 */
export function createLogger({ level, file, console }: LoggingConfig, terminal: Writable): Logger {
  // One that is there may have been given to those who collect logs: it is only told of.
  if (file !== undefined && !existsSync(file)) makePrivate(file)
  const paths = SECRETS.flatMap((name) => Array.from({ length: DEPTH + 1 }, (_, depth) => '*.'.repeat(depth) + name))
  const streams = [
    ...(console ? [{ level, stream: terminal }] : []),
    // Synchronous, so that the last lines before an end are in the file too.
    ...(file === undefined ? [] : [{ level, stream: pino.destination({ dest: file, sync: true }) }])
  ]
  const logger = pino({ level, redact: { paths, censor: '[redacted]' } }, pino.multistream(streams))
  if (file !== undefined && isOpenToOthers(file))
    logger.warn({ file }, 'the log file can be read by others than its owner')
  return logger
}
