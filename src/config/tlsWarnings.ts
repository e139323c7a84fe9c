import type { DbConfig, RedisConfig } from './types.js'

/** What is encrypted and goes to whoever answers: a sentence for each connection whose certificate is not verified. */
export function tlsWarnings({ db, redis }: { readonly db: DbConfig; readonly redis: RedisConfig }): readonly string[] {
  const sections = [
    ['db', db, 'database'],
    ['redis', redis, 'Redis']
  ] as const
  return sections.flatMap(([section, config, server]) =>
    'tls' in config && config.tls?.rejectUnauthorized === false
      ? [
          `The connection to the ${server} is encrypted to whoever answers there (${section}.tls.rejectUnauthorized is false): passwords and records can be read and changed on the way. Name who signed its certificate in ${section}.tls.ca, and remove the key.`
        ]
      : []
  )
}
