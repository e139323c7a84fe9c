import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { configurationPage } from '../../docs/configurationPage.js'
import { configurationTexts } from '../../docs/configurationTexts.js'
import { describedSchema } from '../../docs/describedSchema.js'
import { configSchema } from '../../src/config/jsonSchema.js'
import { suite } from '../support/suite.js'

const test = suite('the page of the configuration')

// From dist/test/docs to the root of the project.
const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')
const texts = configurationTexts(read('server.yaml.example'))
const schema = describedSchema(configSchema(), texts)
const page = read('docs/configuration.md')

test('it is what code and example say, and so is the schema for editors: npm run docs writes both', () => {
  assert.is(page, configurationPage(schema))
  assert.is(read('docs/server.schema.json'), `${JSON.stringify(schema, null, 2)}\n`)
})

test('every section and every key has a text', () => {
  assert.equal(page.match(/^\|.*\| {2}\|$/gm), null)
  assert.is(page.match(/^## .*\n\n[A-Z]/gm)?.length, Object.keys(schema.properties ?? {}).length)
})

test('a text is that of the driver, where its block in the example has one', () => {
  assert.match(texts.textOf('db.prefix', 'firestore') ?? '', /collection name/)
  assert.match(texts.textOf('db.prefix', 'mysql') ?? '', /table name/)
  assert.match(texts.textOf('audit.witness.url') ?? '', /^An https URL/)
  assert.is(texts.textOf('db.nothing'), undefined)
})

test('a default is what the code makes of a key that is not given; what has to be given has none', () => {
  const rowOf = (key: string) => page.match(new RegExp(`^\\| \`${key}\` \\|.*$`, 'm'))?.[0]
  assert.match(rowOf('server.bodyLimitMb') ?? '', '| above 0, to 64 | `8` |')
  assert.match(rowOf('audit.checkpointKeyFile') ?? '', '| `./data/checkpoint-key.pem` |')
  assert.match(rowOf('audit.witness.timeoutSeconds') ?? '', '| `10` |')
  assert.match(rowOf('db.host') ?? '', '| text |  |')
  assert.match(rowOf('db.password') ?? '', '| text, a secret |  |')
})

test.run()
