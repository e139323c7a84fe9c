import { keepHeapSmall } from '../../src/lib/heap.js'
import { serveHub } from '../support/hub.js'

// The hub under measurement.
keepHeapSmall()
await serveHub()
