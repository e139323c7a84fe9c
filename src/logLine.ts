import { z } from 'zod'

const LEVELS: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL'
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
  const label = (LEVELS[level] ?? String(level)).padEnd(WIDTH)
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
