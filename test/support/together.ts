import { pathToFileURL } from 'node:url'
import { askParent } from './services.js'
import { beginFile, suitesEnded } from './suite.js'

// node dist/test/support/together.js FILE ...: test files one after the other in one process, which loads what they share once.
askParent()
for (const path of process.argv.splice(2)) {
  beginFile(path)
  await import(pathToFileURL(path).href)
  await suitesEnded()
}
