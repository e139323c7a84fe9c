import { runCli } from './run.js'

const { stdin, stdout, stderr } = process
let isOutputLost = false
stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader that has seen enough, such as `head`, is no failure of ours. And a server goes on without its console.
  if (code === 'EPIPE' || isOutputLost) return
  isOutputLost = true
  process.exitCode = 1
  stderr.write(`The output cannot be written: ${message}\n`)
})
stderr.on('error', () => {})

const colors = stdout.isTTY === true && stdout.getColorDepth() > 1
const code = await runCli(process.argv.slice(2), { stdin, stdout, stderr, colors })
process.exitCode = isOutputLost ? 1 : code
