#!/usr/bin/env -S node --max-semi-space-size=8
// The one file that an older Node must be able to run. So it imports nothing before the version is known.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

// As package.json has it under `engines`.
if ((major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major > 22) {
  // What cannot be loaded ends the process with 1 and says why: there is nobody to hand it to.
  void import('./process.js')
} else {
  process.stderr.write(
    `Collections Hub needs Node 20.19, or 22.13 or later; this is Node ${process.versions.node} (${process.execPath}).\n`
  )
  process.exitCode = 1
}

export {}
