import { codeOf, type errors, type HubError } from '../src/errors.js'

type Catalogue = typeof errors
type Name = keyof Catalogue

/** For each refusal whose text depends on something, what the page shows in its place. */
type Shown = {
  readonly [N in Name as Parameters<Catalogue[N]> extends readonly [] ? never : N]: Parameters<Catalogue[N]>
}

const SHOWN: Shown = {
  routeUnknown: ['GET', '/nowhere'],
  badRequest: [],
  bodyEncoded: ['gzip'],
  bodyTooLarge: [65_536],
  jsonTooMany: [50_000],
  partInvalid: ['query'],
  fieldInvalid: ['name', 'what is wrong with it'],
  invalid: ['What is wrong, in a sentence.'],
  fieldUnknown: ['colour', ['name', 'url']],
  groupNameTaken: ['Payments'],
  scimRefused: ['What is wrong, in a sentence.', 'invalidValue'],
  notBound: ['Ada'],
  newcomerNameTaken: ['Ada'],
  boundElsewhere: ['Ada'],
  memberNotManaged: ['an-id'],
  notLetIn: ['Ada'],
  signInRefused: ['access_denied'],
  scopeMissing: ['write'],
  tokenTooLong: [365],
  scopeUnknown: ['delete'],
  exactRoleMissing: ['auditor'],
  deletionLocked: ['collection'],
  notFound: ['Collection'],
  notDeleted: ['Collection'],
  notThere: ['Collection'],
  versionEmpty: [3],
  noTextAt: [3, 'name'],
  valueInUse: ['Collection'],
  momentMalformed: ['at'],
  cursorLost: ['after'],
  beyondEnd: ['after', 1000],
  versionUnknown: [3],
  tooManyRequests: [900],
  tooManyStreams: [8],
  tooManyTickets: [100, 30],
  llmTokensHeld: [10],
  llmBudgetUsedUp: ['Payments', '2026-12-01T00:00:00.000Z'],
  llmBudgetTooSmall: ['Payments', '2026-12-01T00:00:00.000Z'],
  llmBudgetHeld: ['Payments', 10],
  modelUnpriced: [['gpt-6-luna'], 'Payments'],
  budgetNameTaken: ['Payments'],
  budgetSubjectGone: ['user'],
  llmCallTooLarge: [20000, 12000],
  modelElsewhere: ['/v1/responses'],
  modelCallRefused: ['Why the call is not made.'],
  tooManyModelCalls: [128],
  configurationUnusable: ['What is wrong with the configuration.', {}],
  changeTooLarge: ['What was too large.'],
  notGranted: ['What the account of the hub at its database may not do.'],
  wrongServer: ['Why the server that answers must not be used.'],
  clockAhead: ['How far the clock of the hub is ahead.'],
  logObstructed: ['What stands behind the end of the log.'],
  headWentBack: ['What the log was known to hold, and that an operator has to accept that it does not.'],
  superseded: ['What has taken over.'],
  dayMalformed: ['from'],
  unknownIds: ['collection', ['an-id']],
  nameAmbiguous: [['an-id', 'another-id']],
  nameTakenBy: ['Ada'],
  nameReserved: ['system'],
  runResultMalformed: [],
  maskSent: ['auth'],
  itemTwice: ['request'],
  tooManyWebhooks: [50],
  tenantTooLong: [64],
  tenantExists: ['acme'],
  tooManyTenants: [10_000],
  epochTaken: [7],
  tooManyDevices: [50],
  epochTooFar: [17],
  tooManyOwnWelcomes: [5],
  tooManyWelcomes: [50],
  importUnreadable: ['What is wrong with it.'],
  importPartWanted: [3],
  importFormatUnknown: [['postman', 'openapi']],
  importTooLarge: ['what is too large about it'],
  importTooLong: [20_000],
  tooManyFiles: [4],
  undoTooLarge: [{ events: 50_000, records: 1000 }],
  avatarImageTypeUnknown: ['image/svg+xml'],
  avatarImageUnreadable: ['PNG']
}

/** The page of all refusals, made from their catalogue. */
export function errorsPage(catalogue: Catalogue): string {
  const shown: Readonly<Partial<Record<string, readonly unknown[]>>> = SHOWN
  const rows = Object.entries(catalogue).map(([name, make]) => {
    // Given what `SHOWN` has for it, which has the types of its parameters.
    const { status, message } = (make as (...args: readonly unknown[]) => HubError)(...(shown[name] ?? []))
    return `| \`${codeOf(name)}\` | ${status} | ${message.replaceAll('|', '\\|')} |`
  })
  return `${HEAD}\n\n| Code | Status | Text |\n|---|---|---|\n${rows.join('\n')}\n`
}

const HEAD = `# Errors

Every failure is JSON with a text for people: \`{"error": "Collection not found"}\`. Whoever would rather have problem details
(RFC 9457) says so:

    Accept: application/problem+json, application/json

Where \`application/problem+json\` is named and is not less welcome than \`application/json\` (of equals, what is named first), a
failure has that media type, and these members:

| Member | What it says |
|---|---|
| \`type\` | \`/problems/\` and the code: what kind of failure it is. It names the kind and stays the same; nothing is served there. |
| \`title\` | the code in words |
| \`status\` | the status of the answer |
| \`detail\`, \`error\` | the text, as every client gets it |
| \`instance\` | the id of the request: \`X-Request-Id\`, by which the hub's log and the audit log find it |
| \`errors\` | everything that is wrong with the fields of the request, not only the first: \`[{"in": "body", "path": "name", "message": "..."}]\`, \`in\` being \`params\`, \`body\` or \`query\` |

What a failure of a kind tells beside its text stands beside these, such as \`sections\` of a reload that was refused. A failure
from which the hub cannot read what was asked (headers that are none, or too large) is answered as JSON.

A path that the hub does not have is 404 with \`{"message", "error": "Not Found", "statusCode"}\`; where the path is known and the
method is not, an \`Allow\` header names those that are.

The texts below are examples where they name an id, a number or a field. A code \`provider-failed\` (502, 503, 504) is not among
them: its text says what a provider of models failed at. This page is written from \`src/errors.ts\` by \`npm run docs\`.`
