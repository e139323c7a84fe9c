import * as assert from 'uvu/assert'
import { breaksOf } from '../../docs/openApiBreaks.js'
import { suite } from '../support/suite.js'

const test = suite('what would break clients of a description')

const things = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    parent: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
    tags: { type: 'array', items: { type: 'string' } },
    count: { type: 'integer' }
  },
  required: ['id', 'count']
}
const body = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    colour: { type: 'string', enum: ['red', 'blue'] },
    size: { anyOf: [{ type: 'integer' }, { type: 'null' }] }
  },
  required: ['name']
}

/** A description of two operations, with these in place of its parts. */
function description({
  thing = things,
  sent = body,
  parameters = [{ name: 'limit', in: 'query', required: false, schema: { type: 'integer' } }],
  id = 'makeThing',
  isRequired = false,
  status = '200',
  type = 'application/json',
  list = true
}: {
  readonly thing?: object
  readonly sent?: object
  readonly parameters?: readonly object[]
  readonly id?: string
  readonly isRequired?: boolean
  readonly status?: string
  readonly type?: string
  readonly list?: boolean
} = {}) {
  const answer = { description: '', content: { [type]: { schema: { $ref: '#/components/schemas/Thing' } } } }
  const requestBody = { required: isRequired, content: { 'application/json': { schema: sent } } }
  return {
    paths: {
      '/things': {
        post: { operationId: id, parameters, requestBody, responses: { [status]: answer, 400: { description: '' } } },
        ...(list && { get: { operationId: 'listThings', responses: { 204: { description: '' } } } })
      }
    },
    components: { schemas: { Thing: thing } }
  }
}

const field = (of: typeof things | typeof body, key: string, schema: object | undefined) => ({
  ...of,
  properties: { ...of.properties, [key]: schema }
})

const breaks: readonly (readonly [what: string, after: object, said: readonly string[]])[] = [
  ['an operation that is gone', description({ list: false }), ['GET /things is gone']],
  ['another name', description({ id: 'newThing' }), ['POST /things is no longer called makeThing']],
  ['a parameter that is gone', description({ parameters: [] }), ['POST /things no longer takes query limit']],
  [
    'a parameter of another type',
    description({ parameters: [{ name: 'limit', in: 'query', schema: { type: 'boolean' } }] }),
    ['POST /things query limit is boolean, not integer']
  ],
  [
    'an optional parameter that is required',
    description({ parameters: [{ name: 'limit', in: 'query', required: true, schema: { type: 'integer' } }] }),
    ['POST /things requires query limit']
  ],
  [
    'a new parameter that is required',
    description({
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer' } },
        { name: 'order', in: 'query', required: true, schema: { type: 'string' } }
      ]
    }),
    ['POST /things requires query order']
  ],
  ['a body that is required', description({ isRequired: true }), ['POST /things body is required']],
  [
    'an accepted field that is gone',
    description({ sent: field(body, 'colour', undefined) }),
    ['POST /things body.colour is gone']
  ],
  [
    'an accepted field that is required',
    description({ sent: { ...body, required: ['name', 'colour'] } }),
    ['POST /things body.colour is required']
  ],
  [
    'a value that is no longer taken',
    description({ sent: field(body, 'colour', { type: 'string', enum: ['red'] }) }),
    ['POST /things body.colour no longer takes blue']
  ],
  [
    'null that is no longer taken',
    description({ sent: field(body, 'size', { type: 'integer' }) }),
    ['POST /things body.size is integer, not null']
  ],
  ['another status', description({ status: '201' }), ['POST /things no longer answers 200']],
  ['another content type', description({ type: 'text/plain' }), ['POST /things 200 is no longer application/json']],
  [
    'a field of an answer that is gone',
    description({ thing: field(things, 'tags', undefined) }),
    ['POST /things 200.tags is gone']
  ],
  [
    'a field of an answer that may be missing',
    description({ thing: { ...things, required: ['count'] } }),
    ['POST /things 200.id may be missing']
  ],
  [
    'a field of an answer that may be null',
    description({ thing: field(things, 'id', { anyOf: [{ type: 'string' }, { type: 'null' }] }) }),
    ['POST /things 200.id is null, not string']
  ],
  [
    'items of another type',
    description({ thing: field(things, 'tags', { type: 'array', items: { type: 'integer' } }) }),
    ['POST /things 200.tags[] is integer, not string']
  ],
  [
    'a number where whole ones were answered',
    description({ thing: field(things, 'count', { type: 'number' }) }),
    ['POST /things 200.count is number, not integer']
  ]
]

for (const [what, after, said] of breaks) {
  test(`${what} is found`, () => {
    assert.equal(
      // What is undefined is not there.
      breaksOf(description(), JSON.parse(JSON.stringify(after))),
      said
    )
  })
}

const harmless: readonly (readonly [what: string, after: object])[] = [
  ['the same description', description()],
  ['a field more in an answer', description({ thing: field(things, 'more', { type: 'string' }) })],
  ['an accepted field more', description({ sent: field(body, 'more', { type: 'string' }) })],
  ['another value that is taken', description({ sent: field(body, 'colour', { enum: ['red', 'blue', 'green'] }) })],
  ['an accepted field that may be left out', description({ sent: { ...body, required: [] } })],
  [
    'any number where whole ones were taken',
    description({ sent: field(body, 'size', { anyOf: [{ type: 'number' }, { type: 'null' }] }) })
  ]
]

for (const [what, after] of harmless) {
  test(`${what} breaks nothing`, () => assert.equal(breaksOf(description(), after), []))
}

test.run()
