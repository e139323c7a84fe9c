const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari']
]
const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux']
]

/** What a session is called, by what its browser says of itself: `Firefox on Linux`, or `A browser`. */
export function browserName(userAgent: string | undefined): string {
  const named = (all: typeof BROWSERS) => all.find(([mark]) => mark.test(userAgent ?? ''))?.[1]
  const [browser = 'A browser', system] = [named(BROWSERS), named(SYSTEMS)]
  return system === undefined ? browser : `${browser} on ${system}`
}
