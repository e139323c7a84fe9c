/** What the operations of the interface are grouped by, in the order in which they are shown. */
export const TAGS = {
  collections: 'Collections of saved requests, as clients work with them and administrators manage them.',
  folders: 'Folders inside collections. They nest.',
  requests:
    'Saved requests inside collections, at the root or in a folder, in an order that they share with documents.',
  documents:
    'Markdown documents inside collections, at the root or in a folder, in an order that they share with requests.',
  environments: 'Sets of variables.',
  snippets: 'Reusable scripts.',
  'live servers': 'Web servers that desktops run from these settings; the hub runs none.',
  'live pages': 'Web pages that desktops open with these settings.',
  'run results': 'Results of runs that users share with each other.',
  discussions: 'What people say about requests, folders, collections and run results.',
  notices: 'What others have done that an account is told of, and what it wants to be told.',
  devices:
    'Devices that encrypt comments, and what they send each other for it. Only where the hub has `collaboration.e2ee`.',
  avatars: 'What stands for accounts and for the hub: initials, a colour, an image.',
  history:
    'Versions of records, what differs between them, collections as they were, and bringing back what is deleted.',
  search: 'Records by the words that they have.',
  changes: 'What happens, as it happens or page by page.',
  webhooks: 'Subscriptions of URLs to changes, which are sent to them.',
  LLM: 'Models served with the keys of the hub, chat steps, and what they used.',
  users: 'Accounts, their tokens, and who is blocked for failed authentications.',
  'sign-in': 'Sign-in with a provider of OpenID Connect, and which account somebody there is here.',
  authorization: 'How programs ask people for tokens: OAuth 2.0 with PKCE, and its device grant.',
  directory: 'Accounts and groups as a directory keeps them (SCIM 2.0, RFC 7643 and 7644).',
  invitations: 'Onboarding without a token that is sent around.',
  agents: 'The Model Context Protocol, by which agents find, read and write.',
  audit: 'Who did what, when and from where, and what it changed.',
  hub: 'The session, plugin sources, configuration, probes, the console, and this description.'
} as const

export type Tag = keyof typeof TAGS

export const isTag = (text: string): text is Tag => Object.hasOwn(TAGS, text)
