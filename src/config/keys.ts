import type { HubConfig } from './types.js'

/** The keys that a hub makes where they are first needed, by the sections that name their files: what messages call them. */
export const MADE_KEYS = {
  signIn: 'The key of sign-ins',
  authorization: 'The key of programs that ask for tokens',
  webhooks: 'The key of webhooks'
} as const

const SECTIONS = ['signIn', 'authorization', 'webhooks'] as const

/** One of these keys, as a configuration names it. */
export interface MadeKey {
  readonly section: (typeof SECTIONS)[number]
  readonly file: string
  readonly what: string
}

/** Those that a configuration has. */
export function madeKeys(config: Pick<HubConfig, MadeKey['section']>): readonly MadeKey[] {
  return SECTIONS.flatMap((section) => {
    const file = config[section]?.keyFile
    return file === undefined ? [] : [{ section, file, what: MADE_KEYS[section] }]
  })
}
