import type { Needs, Who } from '../src/http/access.js'
import type { DescribedRoute } from '../src/http/openapi/description.js'

type Described = Pick<DescribedRoute, 'method' | 'url'> & {
  readonly description: Pick<DescribedRoute['description'], 'operation' | 'access'>
}

/** The page of who may call what, made from the routes and the table of access. */
export function accessPage(routes: readonly Described[]): string {
  // The keys of the titles are those of their type.
  const parts = (Object.keys(TITLES) as readonly Who[]).map((who) => {
    const rows = routes
      .filter(({ description }) => description.access.who === who)
      .map(({ method, url, description: { operation, access } }) =>
        [`${method} ${url}`, operation, ...(who === 'public' ? [] : [needed(access.needs)])].join('` | `')
      )
      .toSorted()
      .map((cells) => `| \`${cells}\` |`)
    const titles = ['Route', 'Operation', ...(who === 'public' ? [] : ['Scope'])]
    return `## ${TITLES[who]}\n\n| ${titles.join(' | ')} |\n|${'---|'.repeat(titles.length)}\n${rows.join('\n')}\n`
  })
  return `${HEAD}\n\n${parts.join('\n')}`
}

const TITLES: Readonly<Record<Who, string>> = {
  user: 'Users',
  any: 'Users and administrators',
  account: 'Every account',
  people: 'Administrators, and administrators of accounts',
  audit: 'Administrators and auditors',
  admin: 'Administrators',
  public: 'Whoever comes, without a token'
}

function needed(needs: Needs): string {
  if (needs === 'none') return 'any'
  return needs === 'all' ? 'no limited token' : needs
}

const HEAD = `# Who may do what

An account is that of a **user**, who works with records as far as its access lists go, or of an **administrator**, who manages accounts and
records; with \`client.adminDataApi\` administrators work with records as well. An **administrator of accounts** (\`accountAdmin\`) manages accounts
of users, and groups, and nothing else; an **auditor** reads the audit, and nothing else. Desktops know neither and show both as users; what
would take their role there unseen is refused ([http.md](http.md#roles-of-accounts)). Whoever sends a request is known by a token of their
account.

Beside its lists, which an administrator keeps and which let an account change what they hold, an account has **grants**: a role on one record.

| Role | What the account may do with it |
|---|---|
| \`viewer\` | look at it, and at what is in it; what would change anything is refused with 403, "You may look at this and not change it." |
| \`editor\` | change it, as with a list |
| \`manager\` | the same, and give others a role on it, without an administrator |

A **group** gives its members what it has: access lists, grants and models, beside what each has alone; of several limits on tokens of models
the highest counts. Administrators make members (\`PUT /admin/groups/ID/members/USER\`, \`hub group add\`), and so do rules of a sign-in
([sign-in.md](sign-in.md#groups)). It is in force with the next request.

An account that is **disabled** is let in by no token and no session until it is enabled; what it has stays. One of a **machine**
(\`hub user create --service\`) is as any other, but that nobody signs in as it.

An account that is given another role keeps its tokens and sign-ins, whoever has made them; its lists, grants and models go. What an
administrator of accounts may have kept for themselves is ended first: [SECURITY.md](../SECURITY.md#who-and-what-is-found).

Managers of a record, and whoever has made it, share it by \`/collections/ID/sharing\`, or \`/environments/ID/sharing\` and so on; administrators
give any grant by \`PUT /admin/users/ID/grants\`. What a list holds may be changed, whatever is granted beside. A grant of what is deleted by now
is left out when the grants of its account or group are said anew. Each change is an event that names who made it.

A token may do all that its account may, unless it is limited when it is made, by an administrator, by \`hub user token create\`, or by its
own account (\`POST /auth/tokens\`):

| Scope | What the token may do of what its account may |
|---|---|
| \`read\` | read records, their history, discussions and notices; follow changes |
| \`write\` | the same, and change them |
| \`llm\` | use models |
| \`agent\` | be an agent's at \`/mcp\`, which reads, and writes where the token has \`agentWrites\` |
| \`admin:read\` | read what administrators read |
| \`scim\` | keep accounts and groups as a directory does ([directory.md](directory.md)) |
| \`collection:ID\` | beside one of these: only with the records of that collection, and of any other that is named so, and with the run results that name it as theirs |

What a limited token may not do is refused with 403 and \`WWW-Authenticate: Bearer error="insufficient_scope"\`, which names the scope. Changing
accounts, tokens, webhooks and the hub itself takes a token without scopes, so a leaked one with scopes cannot make another. \`GET /auth/session\`
takes every token, and says what it is limited to. What administrators and auditors read below \`/admin\` is of all collections, so a token that
is limited to some is refused there, but for accounts and groups; and so is what marks all notices as read, or says which the account gets.

A token ends at its \`expiresAt\`: from then on it is refused with 401, and streams that it has opened end. Section \`tokens\` of the
configuration says how long one is in force where nobody says, and at most. \`hub user token list --expiring 14d\` and \`hub doctor\` name
those that end soon, and \`hub user token rotate\` issues one in place of another, with both in force for a while.

The last six characters of a secret are the CRC-32 of all before them, in base 62 (digits, capitals, small letters): a scanner that finds
\`hb[ki]_[A-Za-z0-9_-]{43}[A-Za-z0-9]{6}\` can tell a leaked secret from what only looks so. Secrets of earlier releases are without them and
stay valid.

The rest of this page is the table that the routes are served by: a route that is not in it does not start. What somebody may do to which record,
their access lists say. \`npm run docs\` writes it.`
