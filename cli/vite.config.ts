import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const BUILT = here('../dist')
const OUT = here('../dist/bin')

/** What the command line and its threads begin with, as the compiler has left it. */
const entries: Readonly<Record<string, string>> = {
  hub: here('../dist/cli/main.js'),
  exportThread: here('../dist/src/records/export/writer.js'),
  importThread: here('../dist/src/records/import/reader.js'),
  indexThread: here('../dist/src/llm/docs/docsIndex.js'),
  rebuildThread: here('../dist/src/app/rebuildThread.js'),
  searchThread: here('../dist/src/followers/search/thread.js'),
  verifyThread: here('../dist/src/trust/verifyThread.js'),
  writeThread: here('../dist/src/storage/sqlite/thread.js')
}
/** Where a module says where it is, or where the one beside it is that a thread begins with. */
const OWN_URL = /new URL\('(\.\/\w+\.js)', import\.meta\.url\)|import\.meta\.url/g
const names = new Map(Object.entries(entries).map(([name, path]) => [path, name]))

/**
 * The command line as fewer than a hundred files, which is what is installed: Node reads them in half the time that it takes for
 * the 700 modules that they are made of, in less memory. Of what they depend on that is in them which every command needs: 200
 * modules by themselves.
 */
// biome-ignore lint/style/noDefaultExport: this is how Vite is configured
export default defineConfig({
  root: BUILT,
  publicDir: false,
  plugins: [
    {
      // A thread is the file of its own name; the package's files are found from where the compiler has put a module.
      name: 'places-of-modules',
      enforce: 'pre',
      transform(code, id) {
        if (id.includes('/node_modules/') || !code.includes('import.meta.url')) return null
        const name = names.get(id)
        if (name === undefined && code.includes('new URL(import.meta.url)'))
          this.error(`${id} hands itself to a thread, and is no entry`)
        const place = name === undefined ? relative(OUT, id) : `./${name}.js`
        return code.replaceAll(OWN_URL, (_, beside?: string) => {
          const thread = beside && names.get(join(dirname(id), beside))
          return thread
            ? `new URL('./${thread}.js', import.meta.url)`
            : `new URL(${JSON.stringify(place)}, import.meta.url).href`
        })
      }
    }
  ],
  build: {
    ssr: true,
    outDir: OUT,
    emptyOutDir: true,
    target: 'node20',
    reportCompressedSize: false,
    rolldownOptions: { input: entries, output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } }
  },
  ssr: { noExternal: ['zod', 'yaml', 'clipanion', 'typanion'] },
  logLevel: 'warn'
})
