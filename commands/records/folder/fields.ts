import { colour, named } from '../fields.js'

/** A folder, beside where it stands. */
export const folderFields = { name: named, marker: colour }
