import type { HubConfig } from '../../../src/config/types.js'
import { keepHeapSmall } from '../../../src/heap.js'
import { createServer } from '../../../src/http/server.js'
import { LiveHub } from '../../../src/live.js'
import { createLogger } from '../../../src/logging.js'
import { serve } from '../support/serve.js'
import { watch } from './watch.js'

// The hub as the product runs it, and how strained its process is.
keepHeapSmall()
const strain = watch()
await serve(
  async (config: HubConfig) => {
    const logger = createLogger(config.logging, process.stderr)
    const live = await LiveHub.open(
      () => ({ config, raw: config }),
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
  },
  () => strain()
)
