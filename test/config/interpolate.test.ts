// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the references that are interpolated look like this
import * as assert from 'uvu/assert'
import { interpolate } from '../../src/config/interpolate.js'
import { suite } from '../support/suite.js'
import { parse, parseText, refused } from './parsing.js'

const test = suite('config interpolation')

const env = { NAME: 'value', EMPTY: '', NESTED: '${NAME}' }
const text = (given: string) => interpolate(given, env).text

test('a reference is replaced wherever it stands in a string', () => {
  assert.is(text('${NAME}'), 'value')
  assert.is(text('a ${NAME}-${NAME} b'), 'a value-value b')
})

test('a default serves an unset or empty variable', () => {
  assert.is(text('${OTHER:-x:y}'), 'x:y')
  assert.is(text('${EMPTY:-x}'), 'x')
  assert.is(text('${EMPTY:-}'), '')
  assert.is(text('${NAME:-x}'), 'value')
})

test('two dollar signs give the reference itself', () => {
  assert.is(text('$${NAME} ${NAME}'), '${NAME} value')
  assert.is(text('$${OTHER:-x}'), '${OTHER:-x}')
})

test('what comes from the environment is not interpolated again', () => {
  assert.is(text('${NESTED}'), '${NAME}')
  assert.is(interpolate('${A}', { A: '$&' }).text, '$&')
})

test('what is no reference stays as it is', () => {
  for (const given of ['$NAME', '${}', '${1}', '${a-b}', '$', '${NAME', '{NAME}']) assert.is(text(given), given)
})

test('a name that every object inherits is not a variable', () => {
  assert.equal(interpolate('${constructor}', {}).missing, ['constructor'])
})

test('strings anywhere in the file are interpolated, keys are not', () => {
  const env = { HOST: 'a.example', PORT: '99' }
  const server = 'server: {host: "${HOST}", port: "${PORT}"}'
  const { config, raw } = parse({ server, plugins: 'plugins:\n  catalogs:\n    - https://${HOST}/x' }, env)
  assert.is(config.server.port, 99)
  assert.equal(config.plugins.catalogs, ['https://a.example/x'])
  assert.equal(raw.plugins, { catalogs: ['https://a.example/x'] })
  assert.equal(
    refused(() => parse({ plugins: 'plugins: {"${HOST}": x}' }, env)).problems.map(({ key }) => key),
    ['plugins.${HOST}']
  )
})

test('every missing variable is a problem of its key, and the only one there', () => {
  const { message } = refused(() =>
    parseText(
      [
        'server:',
        '  host: ${HOST}',
        '  port: ${PORT}',
        'db: {driver: "${DRIVER}"}',
        'redis: {driver: memory}',
        'llm:',
        '  providers:',
        '    openai:',
        '      apiKey: ${NAME}',
        '  models: ["${A}${B}"]'
      ].join('\n'),
      { HOST: '' }
    )
  )
  const missing = (line: number, key: string, name: string) =>
    `server.yaml:${line}: ${key}: Missing environment variable ${name} for config key ${key}.`
  assert.is(
    message,
    [
      missing(2, 'server.host', 'HOST'),
      missing(3, 'server.port', 'PORT'),
      missing(4, 'db.driver', 'DRIVER'),
      missing(9, 'llm.providers.openai.apiKey', 'NAME'),
      missing(10, 'llm.models[0]', 'A'),
      missing(10, 'llm.models[0]', 'B')
    ].join('\n')
  )
})

test.run()
