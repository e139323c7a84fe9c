import { keepHeapSmall } from '../../src/lib/heap.js'
import { serveHub } from '../support/hub.js'
import { watch } from './watch.js'

// The hub under measurement, and how strained its process is.
keepHeapSmall()
await serveHub(watch())
