import { LiveHub } from '../../src/app/live.js'
import type { HubConfig } from '../../src/config/types.js'
import { createServer } from '../../src/http/server.js'
import { createLogger } from '../../src/logging/logging.js'
import { serve } from './serve.js'

/** Serves what the product runs, on a port of its own, its log on stderr. `more` is told beside what every child tells. */
export function serveHub(more?: () => object): Promise<void> {
  return serve(async (config: HubConfig) => {
    const { logger } = createLogger(config.logging, process.stderr)
    const live = await LiveHub.open(
      () => ({ config, raw: config, warnings: [] }),
      () => logger
    )
    const server = createServer(live, logger)
    // The framework would log the address that it binds.
    server.log.level = 'warn'
    const address = await server.listen({ host: '127.0.0.1', port: 0 })
    server.log.level = config.logging.level
    return {
      port: Number(new URL(address).port),
      async close() {
        await server.close()
        await live.close()
      }
    }
  }, more)
}
