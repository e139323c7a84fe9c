import type { Limit } from '../src/limits.js'

/** The page of all bounds, made from their table. */
export function limitsPage(limits: Readonly<Record<string, Limit>>): string {
  const rows = Object.entries(limits).map(([name, limit]) => `| \`${name}\` | ${amount(limit)} | ${limit.what} |`)
  return `${HEAD}\n\n| Name | At most | Of what |\n|---|---|---|\n${rows.join('\n')}\n`
}

const HEAD = `# Limits

What the hub takes, sends and waits for, at most. A request that brings more is refused with a 4xx that names the bound, and
changes nothing; what would be larger in an answer comes in pages. Where all clients together are too much for the hub, a further
request gets 503 (bodies and chat steps that are held, writes that wait, what waits to be sent, load), and a further connection is
closed. What is too large of an answer of a model or a tool is cut off or left out. Lengths of texts are counted in characters as Unicode has them, an emoji being one or several, and
checked before anything else is done with the text.

A row that says "the least" or "until" is the other way round. This page is written from \`src/limits.ts\` by \`npm run docs\`.`

function amount({ max, unit }: Limit): string {
  switch (unit) {
    case 'bytes':
      return bytes(max)
    case 'bytes/s':
      return `${bytes(max)} a second`
    case 'ms':
      return max % 1000 === 0 ? `${grouped(max / 1000)} s` : `${grouped(max)} ms`
    default:
      return `${grouped(max)} ${unit}`
  }
}

function bytes(count: number): string {
  for (const [unit, size] of [
    ['MB', 1024 * 1024],
    ['KB', 1024]
  ] as const) {
    if (count % size === 0) return `${grouped(count / size)} ${unit}`
  }
  return `${grouped(count)} bytes`
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
