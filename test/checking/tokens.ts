import type { Finding } from './finding.js'
import { type Operation, operationsOf, UNAUTHORIZED } from './history.js'

/** Between which entries a token became valid, or stopped to be. */
interface Change {
  readonly sent: number
  readonly acknowledged: number
}

/**
 * That no request is let in, on any hub, which was sent after its token's revocation was acknowledged, and none is refused that was
 * answered before anybody had asked for it, and sent after the token was issued.
 */
export function checkTokens(operations: readonly Operation[]): readonly Finding[] {
  const issued = changesOf(operationsOf(operations, 'issue'))
  const revoked = changesOf(operationsOf(operations, 'revoke'))
  const findings: Finding[] = []
  for (const { token, from, to, f, outcome, error } of operations) {
    if (token === undefined) continue
    const revocation = revoked.get(token)
    const wasOver = revocation !== undefined && revocation.acknowledged < from
    if (outcome === 'ok' && wasOver)
      findings.push({
        kind: 'letIn',
        text: `The ${f} of entry ${from} was let in with ${token}, revoked at ${revocation.acknowledged}.`
      })
    const wasInForce = (issued.get(token)?.acknowledged ?? Infinity) < from && !(revocation && revocation.sent < to)
    if (outcome === 'fail' && error === UNAUTHORIZED && wasInForce)
      findings.push({
        kind: 'keptOut',
        text: `The ${f} of entry ${from} was refused with ${token}, which was in force.`
      })
  }
  return findings
}

function changesOf(operations: readonly Operation<'issue' | 'revoke'>[]): ReadonlyMap<string, Change> {
  const changes = new Map<string, Change>()
  for (const { sent, from, to, outcome } of operations) {
    if (outcome === 'fail') continue
    const known = changes.get(sent.token)
    const acknowledged = Math.min(to, known?.acknowledged ?? Infinity)
    changes.set(sent.token, { sent: Math.min(from, known?.sent ?? Infinity), acknowledged })
  }
  return changes
}
