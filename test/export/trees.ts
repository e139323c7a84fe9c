import fc from 'fast-check'
import { noAuth } from '../../commands/content.js'
import { METHODS } from '../../commands/records/request/fields.js'
import { formBody } from '../../src/records/formats/body.js'
import { type Example, examplesName, examplesText } from '../../src/records/formats/examples.js'
import type {
  Auth,
  CollectionTree,
  Item,
  KeyValue,
  RequestFields,
  RequestItem
} from '../../src/records/formats/model.js'

/** What a tree says, without what its source calls things by. */
export const saidBy = ({ name, settings, items }: CollectionTree): unknown =>
  JSON.parse(JSON.stringify({ name, settings, items: items.map(said) }))

function said(item: Item): unknown {
  const { sourceId: _, ...rest } = item
  return 'items' in rest ? { ...rest, items: rest.items.map(said) } : rest
}

/** Texts as people write them: of any language, without line ends or with them, never of blanks alone. */
export const line = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .map((text) => text.normalize('NFC').replace(/\p{C}/gu, '').trim())
export const name = line.filter((text) => text !== '')
const lines = fc.array(line, { maxLength: 4 }).map((all) => all.join('\n').trim())
const key = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,8}$/)
  .filter((text) => !/^(content|accept|auth|host|conn|transf)/i.test(text))
const keyValue = fc.record({ key, value: line, enabled: fc.boolean() })
const enabled = keyValue.map((row) => ({ ...row, enabled: true }))
/** Rows without a key twice. */
const rowsOf = (row: fc.Arbitrary<KeyValue>) =>
  fc.uniqueArray(row, { maxLength: 4, selector: (one) => one.key.toLowerCase() })

const auth: fc.Arbitrary<Auth> = fc.oneof(
  fc.constant(noAuth),
  fc
    .record({ username: name.filter((text) => !text.includes(':')), password: line })
    .map((basic): Auth => ({ ...noAuth, type: 'basic', basic })),
  name.map((token): Auth => ({ ...noAuth, type: 'bearer', bearer: { token } }))
)

const urlText = fc.stringMatching(/^[A-Za-z0-9_.-]{1,8}$/)
const url = fc
  .record({
    start: fc.constantFrom('https://example.com', '{{baseUrl}}', 'http://localhost:8080'),
    path: fc.array(
      fc.oneof(
        urlText,
        urlText.map((one) => `:${one.replace(/[^A-Za-z]/g, '') || 'id'}`)
      ),
      { maxLength: 3 }
    ),
    query: fc.uniqueArray(fc.tuple(urlText, urlText), { maxLength: 3, selector: ([key]) => key })
  })
  .map(({ start, path, query }) => {
    const sent = query.map(([key, value]) => `${key}=${value}`).join('&')
    return `${[start, ...path].join('/')}${sent === '' ? '' : `?${sent}`}`
  })

const formRow = fc.record({
  key,
  value: line,
  enabled: fc.boolean(),
  type: fc.constantFrom('text' as const, 'file' as const)
})
const filled = (row: { key: string; value: string; enabled: boolean; type: 'text' | 'file' }) =>
  row.type === 'file' ? { ...row, value: '' } : row
type Body = Pick<RequestFields, 'body' | 'bodyType'>
const body: fc.Arbitrary<Body> = fc.oneof(
  fc.constant({ bodyType: 'none', body: '' } as const),
  fc.jsonValue({ maxDepth: 2 }).map((value) => ({ bodyType: 'json', body: JSON.stringify(value) }) as const),
  lines.filter((text) => text !== '').map((text) => ({ bodyType: 'text', body: text }) as const),
  fc
    .uniqueArray(formRow.map(filled), { maxLength: 3, selector: (one) => one.key })
    .map((rows) => formBody('multipart', rows)),
  fc
    .uniqueArray(
      formRow.map((row) => ({ ...row, type: 'text' as const })),
      { maxLength: 3, selector: (one) => one.key }
    )
    .map((rows) => formBody('urlencoded', rows))
)

const script = lines.filter((text) => !text.includes('// tests'))

/** Everything that a request can be. */
export const anyRequest: fc.Arbitrary<RequestFields> = fc
  .record({
    ...{ name, method: fc.constantFrom(...METHODS), url, headers: rowsOf(keyValue), params: rowsOf(keyValue), auth },
    ...{ content: body, preRequestScript: script, postRequestScript: script, comment: lines }
  })
  .map(({ content, params, ...rest }) => ({
    ...rest,
    ...content,
    params: params.map((row) => ({ ...row, key: `off-${row.key}`, enabled: false })),
    protocol: 'http' as const
  }))

/** What a recording can hold of a request: what is sent, and nothing else. */
export const sentRequest: fc.Arbitrary<RequestFields> = fc
  .record({ ...{ name, method: fc.constantFrom(...METHODS), url, headers: rowsOf(enabled), auth }, content: body })
  .map(({ content, ...rest }) => ({
    ...rest,
    ...(content.bodyType === 'multipart' || content.bodyType === 'urlencoded'
      ? { bodyType: content.bodyType, body: content.body.replaceAll('"enabled":false', '"enabled":true') }
      : content),
    params: [],
    preRequestScript: '',
    postRequestScript: '',
    comment: '',
    protocol: 'http' as const
  }))

const example: fc.Arbitrary<Example> = fc.record({
  name,
  status: fc.integer({ min: 100, max: 599 }),
  reason: line,
  headers: fc.array(fc.record({ key, value: line }), { maxLength: 3 }),
  body: lines
})

/** A request, with a document of examples behind it or without. */
export const withExamples = (request: fc.Arbitrary<RequestFields>): fc.Arbitrary<readonly Item[]> =>
  fc.tuple(request, fc.array(example, { maxLength: 2 })).map(([content, examples]): readonly Item[] => {
    const item: RequestItem = { kind: 'request', sourceId: null, content }
    if (examples.length === 0) return [item]
    const name = examplesName(content.name)
    return [item, { kind: 'document', sourceId: null, name, content: examplesText(examples) }]
  })

/** A container: a description, folders down to a depth, then these. */
export function container(inside: fc.Arbitrary<readonly Item[]>, depth: number): fc.Arbitrary<readonly Item[]> {
  const readme = lines.map((content): readonly Item[] =>
    content === '' ? [] : [{ kind: 'document', sourceId: null, name: 'README.md', content }]
  )
  const folders =
    depth === 0
      ? fc.constant([])
      : fc.uniqueArray(fc.tuple(name, container(inside, depth - 1)), {
          maxLength: 2,
          selector: ([one]) => one.toLowerCase()
        })
  const requests = fc.uniqueArray(inside, {
    maxLength: 3,
    selector: ([item]) => (item?.kind === 'request' ? item.content.name.toLowerCase() : '')
  })
  return fc
    .tuple(readme, folders, requests)
    .map(([readme, folders, requests]) => [
      ...readme,
      ...folders.map(([name, items]): Item => ({ kind: 'folder', sourceId: null, name, items })),
      ...requests.flat()
    ])
}

const variable = fc
  .record({ key, value: line, enabled: fc.boolean() })
  .map((row) => ({ ...row, defaultValue: '', share: true }))

/** A whole collection of these. */
export const treeOf = (items: fc.Arbitrary<readonly Item[]>): fc.Arbitrary<CollectionTree> =>
  fc
    .record({
      name,
      variables: fc.array(variable, { maxLength: 3 }),
      auth,
      preRequestScript: script,
      postRequestScript: script,
      items
    })
    .map(({ name, items, ...settings }) => ({ name, sourceId: null, settings: { ...settings, headers: [] }, items }))
