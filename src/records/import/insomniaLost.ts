import { type Notes, placeIn } from '../formats/model.js'
import { type Fields, fields, list, textOrNull } from './loose.js'

/** What a file of Insomnia has that there is no place for. */

/** Tells of the cookies of a file. */
export function noteCookies(cookies: unknown, notes: Notes): void {
  if (list(cookies).length > 0) notes.add(placeIn([]), 'Cookies that were kept are not carried over.')
}

/** The settings of a request of version 4, as version 5 has them. */
export const settingsOf = (one: Fields): Fields => ({
  renderRequestBody: one.settingDisableRenderRequestBody !== true,
  encodeUrl: one.settingEncodeUrl,
  rebuildPath: one.settingRebuildPath,
  followRedirects: one.settingFollowRedirects,
  cookies: { send: one.settingSendCookies, store: one.settingStoreCookies }
})

/** Tells of a request that is sent otherwise than requests usually are. */
export function noteSettings(settings: Fields, place: string, notes: Notes): void {
  const { renderRequestBody, encodeUrl, rebuildPath, followRedirects, cookies } = settings
  const { send, store } = fields(cookies)
  const redirects = textOrNull(followRedirects) ?? 'global'
  if ([renderRequestBody, encodeUrl, rebuildPath, send, store].includes(false) || redirects !== 'global')
    notes.add(place, 'Settings of how requests are sent (redirects, cookies, encoding) are not carried over.')
}

/** Tells of descriptions in these lists of rows. */
export function noteDescriptions(rows: readonly unknown[], place: string, notes: Notes): void {
  if (
    rows
      .flatMap(list)
      .map(fields)
      .some(({ description }) => textOrNull(description) !== null)
  )
    notes.add(place, 'Descriptions of single headers, parameters and fields are not carried over.')
}
