import { type DirectoryDetails, directoryDetails } from '../user/events.js'

/** What a directory says of somebody of whom none says anything. */
const UNTOLD: DirectoryDetails = { externalId: null, displayName: null, givenName: null, familyName: null, email: null }

/** What a directory says of the account in this row. */
export function detailsOf({ directory }: { readonly directory: string | null }): DirectoryDetails {
  return directory === null ? UNTOLD : directoryDetails.parse(JSON.parse(directory))
}
