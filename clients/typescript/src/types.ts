import type { components, paths } from './schema.js'

/** What the hub answers and takes, by name: `Schemas['Collection']`. */
export type Schemas = components['schemas']
export type Change = Schemas['Change']

export type Path = keyof paths
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The methods that a path has. */
export type MethodOf<P extends Path> = {
  [M in Method]: paths[P] extends Readonly<Record<Lowercase<M>, object>> ? M : never
}[Method]

/** One operation, as the description of the interface tells it. */
export type OperationOf<P extends Path, M extends Method> =
  paths[P] extends Readonly<Record<Lowercase<M>, infer O>> ? O : never

type ParametersOf<O> = O extends { readonly parameters: infer T } ? T : never
type PathOf<O> = ParametersOf<O> extends { readonly path: infer T extends object } ? { readonly path: T } : unknown
type QueryOf<O> =
  ParametersOf<O> extends { readonly query: infer T extends object }
    ? { readonly query: T }
    : ParametersOf<O> extends { readonly query?: infer T }
      ? { readonly query?: T }
      : unknown
/** What is JSON of these forms, that of SCIM too; never where none is. */
type JsonIn<C> = C extends { readonly 'application/json': infer B } | { readonly 'application/scim+json': infer B }
  ? B
  : never
type BodyOf<O> = O extends { readonly requestBody: { readonly content: infer C extends object } }
  ? { readonly body: JsonIn<C> }
  : unknown

/** What of a request the operation does not fix. */
export type RequestOptions<O> = PathOf<O> & QueryOf<O> & BodyOf<O> & CallOptions

export interface CallOptions {
  /** The entity tag of the record as it was read: the change is made only while the record is that one. */
  readonly ifMatch?: string
  /** Of a POST that may be repeated; drawn where none is given. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  /** How long one attempt may take, in milliseconds. */
  readonly timeout_ms?: number
  /** How often it is tried where it may be repeated, in place of what the client was made with. */
  readonly attempts?: number
}

/** What of the request of a file the operation does not fix. */
export interface FileOptions {
  /** The media type that is wanted, of an answer that has several forms. */
  readonly accept?: string
}

type Success = 200 | 201 | 204
type JsonOf<R> = R extends { readonly content: infer C }
  ? [JsonIn<C>] extends [never]
    ? string
    : JsonIn<C>
  : undefined

/** What an operation answers when it succeeds: JSON, a text where it is something else, or undefined. */
export type AnswerOf<O> = O extends { readonly responses: infer R }
  ? { [S in keyof R]: S extends Success ? JsonOf<R[S]> : never }[keyof R]
  : never

/** An answer with what its headers say. */
export interface Answer<B> {
  readonly status: number
  readonly body: B
  /** The entity tag that a later change may name. */
  readonly etag: string | null
  /** What the hub calls this request in its log. */
  readonly requestId: string | null
}

/** A file that the hub has answered with. */
export interface DownloadedFile {
  /** What the hub calls it. */
  readonly name: string | null
  /** Its media type. */
  readonly type: string | null
  readonly bytes: Uint8Array<ArrayBuffer>
}
