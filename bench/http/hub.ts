import { keepHeapSmall } from '../../src/heap.js'
import { serveHub } from '../support/hub.js'

// The hub under measurement.
keepHeapSmall()
await serveHub()
