/** `text` with the ids and times in it replaced by their kind. */
export function generic(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\(\d{4}-\d\d\)/g, '(MONTH)')
    .replaceAll(/hbk_[A-Za-z0-9_-]{8}(?![A-Za-z0-9_-])/g, 'PREFIX')
    .replaceAll(/hbk_[A-Za-z0-9_-]{49}(?![A-Za-z0-9_-])/g, 'SECRET')
}
