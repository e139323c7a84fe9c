import { Html, html } from './parts.js'
import { STYLE } from './style.js'

/** A page of the hub for people who are not in the console: its style stands in it, and it asks for nothing else. */
export function document(title: Html, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`
}
