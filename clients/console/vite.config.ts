import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The console as files that a hub serves under any path: nothing inline, every name with the hash of its content. */
// biome-ignore lint/style/noDefaultExport: this is how Vite is configured
export default defineConfig({
  root: here('.'),
  base: './',
  publicDir: false,
  build: {
    outDir: here('../../dist/console'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // A helper of Vite for older browsers that would add nothing here.
    modulePreload: { polyfill: false },
    // As docs/console.md says: nothing is brought for older ones, which lack `URL.canParse` or `:has()`.
    target: ['chrome120', 'edge120', 'firefox121', 'safari17'],
    chunkSizeWarningLimit: 300,
    reportCompressedSize: false
  },
  resolve: {
    alias: { '@collections-hub/client': here('../typescript/src/index.ts') }
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  logLevel: 'warn'
})
