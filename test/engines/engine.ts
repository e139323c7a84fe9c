import type { Place } from '../race/network.js'
import type { Machine } from './machine.js'

/** A database engine of an experiment's own. */
export interface Engine {
  /** With its version, as the table of results names it. */
  readonly name: string
  /** Where hubs reach it. */
  readonly place: Place
  /** The `db` section of a hub that reaches it at this place. */
  db(place: Place): Readonly<Record<string, unknown>>
}

/** An engine of one server. */
export interface SingleEngine extends Engine, Machine {}

/** An engine of several servers, of which one is written to. */
export interface ReplicatedEngine extends Engine {
  /** The server that is written to now. */
  primary(): Promise<Machine>
}

/** Why an engine cannot be had here: what needs it is skipped with this text. */
export class Missing extends Error {}
