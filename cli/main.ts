#!/usr/bin/env -S node --max-semi-space-size=8
// The one file that an older Node must be able to run. So it imports nothing before the version is known.

/** As package.json has it under `engines`. */
const LEAST = '20.19'

const [leastMajor = 0, leastMinor = 0] = LEAST.split('.').map(Number)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) {
  // What cannot be loaded ends the process with 1 and says why: there is nobody to hand it to.
  void import('./process.js')
} else {
  process.stderr.write(
    `Collections Hub needs Node ${LEAST} or later; this is Node ${process.versions.node} (${process.execPath}).\n`
  )
  process.exitCode = 1
}

export {}
