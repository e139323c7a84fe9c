import type { Kind } from '../model/records.js'
import type { Container } from './records.js'
import { ofSession } from './session.js'

/** The kind of record that somebody is making, and where: nowhere for what stands by itself. */
export const creating = ofSession<{ readonly kind: Kind; readonly container?: Container | undefined } | null>(null)
