import { z } from 'zod'
import { orElse, webUrl } from './fields.js'

const sources = orElse(z.array(webUrl), []).transform((urls): readonly string[] => [...new Set(urls)])

/** The `plugins` section: where clients find plugins. */
export const plugins = z.strictObject({ catalogs: sources, trusted: sources })
