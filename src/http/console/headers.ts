const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // What is shown of records goes through the console's own sanitizers, or the browser refuses it.
  "require-trusted-types-for 'script'",
  'trusted-types dompurify console'
]

/**
 * The headers of everything that belongs to the console: nothing inline is run, nothing comes from or goes to elsewhere, no
 * other site shows, opens or reads it, and it asks for nothing that a device has.
 */
export const consoleHeaders = {
  'content-security-policy': POLICY.join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY'
} as const
