import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { WitnessConfig } from '../config/types.js'
import { makeFolder } from '../files.js'
import type { SignedCheckpoint } from './checkpoint.js'

/** Appends a checkpoint to a file, which is made, for its owner alone, where there is none. It is on disk when this resolves. */
export async function appendCheckpoint(file: string, checkpoint: SignedCheckpoint): Promise<void> {
  makeFolder(dirname(file))
  const handle = await open(file, 'a', 0o600)
  try {
    await handle.appendFile(`${JSON.stringify(checkpoint)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Sends a checkpoint to a witness. Rejects where it does not take it within its time; the message holds neither the headers
 * nor what the witness has answered.
 */
export async function sendToWitness(witness: WitnessConfig, checkpoint: SignedCheckpoint): Promise<void> {
  const response = await fetch(witness.url, {
    method: 'POST',
    headers: [...witness.headers.map(([name, value]): [string, string] => [name, value]), JSON_TYPE],
    body: JSON.stringify(checkpoint),
    // It would take the headers to somebody who was never configured.
    redirect: 'error',
    signal: AbortSignal.timeout(witness.timeoutSeconds * 1000)
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The witness answered ${response.status}.`)
}

const JSON_TYPE: [string, string] = ['content-type', 'application/json']
