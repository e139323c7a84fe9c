import { capitalized } from './words.js'

/** The kinds of thing that the log tells of: what people call several of them, and one. */
export const LOG_KINDS = {
  collection: ['Collections', 'collection'],
  folder: ['Folders', 'folder'],
  request: ['Requests', 'request'],
  document: ['Documents', 'document'],
  environment: ['Environments', 'environment'],
  snippet: ['Snippets', 'snippet'],
  liveServer: ['Live servers', 'live server'],
  livePage: ['Live pages', 'live page'],
  user: ['Accounts', 'account'],
  group: ['Groups', 'group'],
  token: ['Tokens', 'token'],
  identity: ['Sign-ins', 'sign-in'],
  invitation: ['Invitations', 'invitation'],
  runresult: ['Run results', 'run result'],
  llmstep: ['Use of models', 'use of a model'],
  llmbudget: ['Budgets of models', 'budget of models'],
  webhook: ['Webhooks', 'webhook'],
  comment: ['Comments', 'comment'],
  notification: ['Choices of notices', 'choice of notices'],
  subscription: ['Subscriptions to discussions', 'subscription to a discussion'],
  device: ['Devices', 'device'],
  mlscommit: ['Changes of encrypted groups', 'change of an encrypted group'],
  mlswelcome: ['Welcomes to encrypted groups', 'welcome to an encrypted group'],
  hub: ['The hub', 'hub'],
  tenant: ['Tenants', 'tenant'],
  source: ['Imports from files', 'import from a file'],
  audit: ['Safety and reads', 'event of safety'],
  erasure: ['Erasures', 'erasure'],
  key: ['Repeatable requests', 'repeatable request'],
  projections: ['Read tables', 'change of read tables'],
  llmusage: ['Use of models before', 'use of models before'],
  legacyaudit: ['Log of an older hub', 'entry of an older log'],
  takeovers: ['Takeovers begun', 'takeover begun'],
  takeover: ['Takeovers', 'takeover']
} as const

export type LogKind = keyof typeof LOG_KINDS

export const isLogKind = (text: string): text is LogKind => Object.hasOwn(LOG_KINDS, text)

/** What several of a kind are called; a kind of a newer hub by its own name. */
export const kindLabel = (kind: string): string => (isLogKind(kind) ? LOG_KINDS[kind][0] : kind)

/** What one of a kind is called within a sentence. */
export const kindWord = (kind: string): string => (isLogKind(kind) ? LOG_KINDS[kind][1] : kind)

export const kindTitle = (kind: string): string => capitalized(kindWord(kind))

/** A type of event in words: `RequestUpdated` is `Request updated`. */
export function typeLabel(type: string): string {
  const words = type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return capitalized(words.replace(/\bllm\b/g, 'LLM'))
}
