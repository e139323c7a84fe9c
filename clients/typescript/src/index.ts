export { type ClientOptions, connectHub, type HubClient } from './client.js'
export { HubRequestError, HubUnreachableError } from './errors.js'
export type { FeedOptions } from './feed.js'
export type {
  Answer,
  AnswerOf,
  CallOptions,
  Change,
  DownloadedFile,
  FileOptions,
  Method,
  MethodOf,
  OperationOf,
  Path,
  RequestOptions,
  Schemas
} from './types.js'
