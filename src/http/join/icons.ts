import { Html } from './html.js'

const icon = (shape: string, name = '') =>
  new Html(`<svg${name && ` class="${name}"`} viewBox="0 0 24 24" aria-hidden="true">${shape}</svg>`)

/** The drawings of the join page: decoration, which screen readers pass over. */
export const icons = {
  mark: icon(
    '<circle cx="12" cy="12" r="3"/><circle cx="12" cy="4" r="2"/><circle cx="5" cy="17.5" r="2"/>' +
      '<circle cx="19" cy="17.5" r="2"/><path d="M12 6v3m-2.4 4.8-3 2.4m7.8-2.4 3 2.4"/>',
    'mark'
  ),
  open: icon('<path d="M14 4h6v6m0-6-9 9M10 5H6a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2v-4"/>'),
  copy: icon(
    '<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15a1 1 0 0 1-1-1V6a2 2 0 0 1 2-2h8a1 1 0 0 1 1 1"/>'
  ),
  download: icon('<path d="M12 4v11m-5-5 5 5 5-5M5 20h14"/>'),
  warning: icon('<circle cx="12" cy="12" r="9"/><path d="M12 7.5V13m0 3.5v.01"/>')
}
