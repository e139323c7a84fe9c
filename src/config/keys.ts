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

/** What a configuration says of them. */
export type KeySections = { readonly [Section in MadeKey['section']]?: { readonly keyFile: string } | undefined }

/** Every file with a key that a configuration names, those that are made among them. */
export function keyFiles({ db, audit, ...sections }: HubConfig): readonly string[] {
  const { sealKeyFile, formerSealKeyFiles, checkpointKeyFile } = audit
  const account = db.driver === 'firestore' ? db.keyFilename : undefined
  const made = madeKeys(sections).map(({ file }) => file)
  return [account, sealKeyFile, ...formerSealKeyFiles, checkpointKeyFile, ...made].filter((path) => path !== undefined)
}

/** Those of a configuration that are made. */
export function madeKeys(config: KeySections): readonly MadeKey[] {
  return SECTIONS.flatMap((section) => {
    const file = config[section]?.keyFile
    return file === undefined ? [] : [{ section, file, what: MADE_KEYS[section] }]
  })
}
