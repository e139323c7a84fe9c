/** A page of the objects of a bucket, in order of their names. */
export interface ObjectPage {
  readonly names: readonly string[]
  /** What the next page is asked for with; null where there is none. */
  readonly next: string | null
}

const NAME = /<Key>([^<]*)<\/Key>/g
const NEXT = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/
const CODE = /<Code>([A-Za-z0-9]{1,100})<\/Code>/

/** What `ListObjectsV2` answers. Of its XML only the texts of two elements are read, which hold no other element. */
export function objectPage(xml: string): ObjectPage {
  const names = [...xml.matchAll(NAME)].map(([, name = '']) => plain(name))
  const next = /<IsTruncated>\s*true\s*</.test(xml) ? NEXT.exec(xml)?.[1] : undefined
  return { names, next: next === undefined ? null : plain(next) }
}

/** The code of a refusal, such as `NoSuchKey`; empty where there is none. */
export function errorCode(xml: string): string {
  return CODE.exec(xml)?.[1] ?? ''
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function plain(text: string): string {
  return text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? whole
    const point = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}
