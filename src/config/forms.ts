import type { z } from 'zod'
import { isMapping } from './fields.js'

/** One of several ways to say the same: keys that it needs, the first of which is its sign, and keys that may stand with it. */
export interface Form {
  readonly needs: readonly [sign: string, ...more: string[]]
  readonly may?: readonly string[]
}

/**
 * What `superRefine` takes, so that a mapping uses one form alone and wholly: the first whose sign is there, or else the last.
 * Keys of another form are problems, and so is what is missing.
 */
export function oneForm(section: string, ...forms: readonly [...Form[], Form]) {
  const keysOf = ({ needs, may = [] }: Form): readonly string[] => [...needs, ...may]
  const check = (given: Readonly<Record<string, unknown>>, context: z.RefinementCtx) => {
    const used = forms.find(({ needs: [sign] }) => given[sign] !== undefined) ?? forms[forms.length - 1]
    if (used === undefined) return
    const others = new Set(forms.flatMap(keysOf).filter((key) => !keysOf(used).includes(key)))
    for (const key of others) {
      if (given[key] === undefined) continue
      const message = `${section}.${used.needs[0]} says this already: keep one of the two.`
      context.addIssue({ code: 'custom', path: [key], message })
    }
    for (const key of used.needs) {
      if (given[key] !== undefined) continue
      const instead = forms.filter((form) => form !== used && key === used.needs[0]).map(({ needs: [sign] }) => sign)
      const or = instead.length === 0 ? '' : ` (or ${instead.map((sign) => `${section}.${sign}`).join(', ')} instead)`
      context.addIssue({ code: 'custom', path: [key], message: `Config must include ${section}.${key}${or}.` })
    }
  }
  // Otherwise a mistake in one key would hide that another one is missing.
  return [check, { when: ({ value }: z.core.ParsePayload) => isMapping(value) }] as const
}

/** The message for a section whose driver is missing or none that there is. */
export function wrongDriver(section: 'db' | 'redis', expected: string) {
  return ({ input }: { readonly input?: unknown }): string => {
    if (!isMapping(input)) return `Config must include a "${section}" mapping.`
    const { driver } = input
    if (driver == null) return `Config must include ${section}.driver.`
    if (driver === '') return `${section === 'db' ? 'Database' : 'Redis'} driver must not be empty.`
    const kind = section === 'db' ? 'database' : 'redis'
    return `Unsupported ${kind} driver "${String(driver)}". Expected ${expected}.`
  }
}
