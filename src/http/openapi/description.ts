import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { HubError } from '../../errors.js'
import type { Access } from '../access.js'
import type { Tag } from './tags.js'

/**
 * What a route answers with one status: the schema of its JSON, null for no body, or schemas by content type. Of a stream of
 * events (`text/event-stream`) and of lines (`application/x-ndjson`) it is that of the data of one event, or of one line.
 */
export type Answer = z.ZodType | null | Readonly<Record<string, z.ZodType>>
export type Answers = Readonly<Partial<Record<number, Answer>>>

/** What of a request says how it is spoken to. */
export type Spoken = Pick<FastifyRequest, 'headers' | 'url'>

/** How others speak JSON over HTTP, where a route speaks as they do. */
export interface Dialect {
  /** The content type of its bodies: what is sent may have it, and refusals do. */
  readonly contentType: string
  readonly refusal: z.ZodType
  /** A refusal of the hub in it. */
  readonly refused: (refusal: HubError, asked: Spoken) => { readonly status: number; readonly text: string }
}

/** What a route says of itself for the description of the interface. */
export interface RouteDescription {
  /** The name of the operation, by which clients call it: unique, and never another. */
  readonly operation: string
  /** What it does, in a few words. */
  readonly summary: string
  /** What the summary and the declaration do not say: what it does to what, its order, its bounds, what a repeated call does. */
  readonly about: string
  /** What it answers, by status. Refusals are named only where they are more than an `Error`. */
  readonly answers: Answers
  /** True where the success has an entity tag: a GET then answers 304 to who has it. */
  readonly isTagged?: true
  /** True where the change is made only to the record that `If-Match` names. */
  readonly takesIfMatch?: true
  /** True where a stream goes on behind the event that `Last-Event-ID` names. */
  readonly resumes?: true
  /** How it speaks, where that is not as the hub does. */
  readonly speaks?: Dialect
  /** True for a POST that takes no `Idempotency-Key` and does not refuse one: libraries that others have made send it by themselves. */
  readonly ignoresKey?: true
  /** Statuses of refusals that do not follow from what the route takes and whom it serves. */
  readonly refuses?: readonly number[]
}

/** The same with what the server knows of the route. */
export interface Description extends RouteDescription {
  readonly tag: Tag
  /** Whom it serves, and what it takes of a limited token. */
  readonly access: Access
  /** True where a POST is carried out once under an `Idempotency-Key`. */
  readonly takesKey?: boolean
}

/** What a route reads of a request. */
export interface Input {
  readonly params?: z.ZodType | undefined
  readonly body?: z.ZodType | undefined
  readonly query?: z.ZodType | undefined
}

/** A route as it was added to the server. */
export interface DescribedRoute {
  readonly method: string
  readonly url: string
  /** How large a body may be. */
  readonly limit_bytes: number
  readonly input: Input
  readonly description: Description
}
