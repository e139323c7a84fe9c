import { readFileSync, writeFileSync } from 'node:fs'
import { commands } from '../cli/commands.js'
import { HubCli } from '../cli/pages.js'
import { configSchema } from '../src/config/jsonSchema.js'
import { errors } from '../src/errors.js'
import { LIMITS } from '../src/limits.js'
import { accessPage } from './accessPage.js'
import { commandsPage } from './commandsPage.js'
import { configurationPage } from './configurationPage.js'
import { configurationTexts } from './configurationTexts.js'
import { describedSchema } from './describedSchema.js'
import { errorsPage } from './errorsPage.js'
import { limitsPage } from './limitsPage.js'
import { openApi, servedRoutes } from './openApi.js'

// From dist/docs to the pages of the project.
const write = (name: string, text: string) => writeFileSync(new URL(`../../docs/${name}`, import.meta.url), text)

write('limits.md', limitsPage(LIMITS))
write('errors.md', errorsPage(errors))
write('commands.md', commandsPage(new HubCli(commands).pages))
const example = readFileSync(new URL('../../server.yaml.example', import.meta.url), 'utf8')
const schema = describedSchema(configSchema(), configurationTexts(example))
write('configuration.md', configurationPage(schema))
write('server.schema.json', `${JSON.stringify(schema, null, 2)}\n`)
write('openapi.json', `${JSON.stringify(await openApi(), null, 2)}\n`)
write('access.md', accessPage(await servedRoutes()))
