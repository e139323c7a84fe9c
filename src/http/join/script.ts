/**
 * The script of the join page. Its hash is in the Content-Security-Policy: exactly this text is served, so all that
 * differs from one invitation to the next is in the markup.
 *
 * The secret is only ever in the fragment and in links: no request carries either. Time is the server's: `ahead` is how
 * far its clock is ahead of the visitor's. Timers are short because a long one stops while a computer sleeps. Browsers
 * offer `navigator.clipboard` on secure origins only, and a hub in an office may well be on plain http.
 *
 * The console, where the page offers it, is opened at `console/#/join?code=CODE&name=NAME&tenant=TENANT`: relative to this page, all of it
 * behind the `#`, with `code` the secret, `name` what the link says of who is invited and `tenant` where they are, unless it is the hub
 * itself, as `URLSearchParams` writes them.
 */
export const SCRIPT = `
(() => {
  'use strict'
  const at = (id) => document.getElementById(id)
  const [open, copy, label, said, manual, field] = ['open', 'copy', 'label', 'said', 'manual', 'field'].map(at)
  const [time, left, expired, incomplete] = ['time', 'left', 'expired', 'incomplete'].map(at)
  const browser = at('browser')
  const { link, now } = at('invite').dataset
  const expires = Date.parse(time.dateTime)
  const ahead = Date.parse(now) - Date.now()
  const relative = new Intl.RelativeTimeFormat('en')
  let nextLook, nextLabel

  const inWords = (minutes) => {
    if (minutes < 1) return 'in less than a minute'
    if (minutes < 120) return relative.format(Math.floor(minutes), 'minute')
    if (minutes < 2880) return relative.format(Math.floor(minutes / 60), 'hour')
    return relative.format(Math.floor(minutes / 1440), 'day')
  }

  const secret = () => {
    const code = (new URLSearchParams(location.hash.slice(1)).get('code') || '').trim()
    return code.startsWith('hbi_') && code.length > 12 ? code : null
  }

  const inClient = (code) => link + '?' + location.search.slice(1) + '&code=' + encodeURIComponent(code)

  const inBrowser = (code) => {
    const told = new URLSearchParams(location.search)
    const [name, tenant] = ['name', 'tenant'].map((key) => (told.get(key) || '').trim())
    return 'console/#/join?' + new URLSearchParams({ code, name, ...(tenant && { tenant }) })
  }

  const lead = (element, to) => {
    if (to === null) {
      element.removeAttribute('href')
      element.setAttribute('role', 'link')
      element.setAttribute('aria-disabled', 'true')
    } else {
      element.href = to
      element.removeAttribute('role')
      element.removeAttribute('aria-disabled')
    }
  }

  const look = () => {
    clearTimeout(nextLook)
    const remaining_ms = expires - Date.now() - ahead
    const late = remaining_ms <= 0
    const code = late ? null : secret()
    const to = code === null ? null : inClient(code)
    if (!late) nextLook = setTimeout(look, Math.min(remaining_ms, 15000))
    left.textContent = late ? 'expired' : inWords(remaining_ms / 60000)
    at('invite').classList.toggle('late', late)
    expired.hidden = !late
    incomplete.hidden = late || to !== null
    copy.disabled = to === null
    if (to === null) {
      manual.hidden = true
      field.value = ''
    }
    lead(open, to)
    if (browser) lead(browser, code === null ? null : inBrowser(code))
    return to
  }

  const written = async (text) => {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      manual.hidden = false
      field.value = text
      field.select()
      if (!document.execCommand('copy')) return false
      manual.hidden = true
      copy.focus()
      return true
    }
  }

  const say = (text) => { said.textContent = text }

  const showCopied = (done) => {
    copy.classList.toggle('done', done)
    label.textContent = done ? 'Copied' : 'Copy link'
    say(done ? 'Copied to your clipboard.' : '')
  }

  copy.addEventListener('click', async () => {
    const to = look()
    if (to === null) return
    clearTimeout(nextLabel)
    if (await written(to)) {
      showCopied(true)
      nextLabel = setTimeout(showCopied, 4000, false)
    } else say('Your browser does not let this page copy. Copy the link from the field.')
  })
  if (browser) browser.addEventListener('click', (event) => { if (look() === null) event.preventDefault() })
  open.addEventListener('click', (event) => {
    if (look() === null) event.preventDefault()
    else say('Opening HarborClient. If nothing happens, install it and try again.')
  })
  for (const event of ['hashchange', 'pageshow', 'focus']) addEventListener(event, look)

  time.textContent = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short', day: 'numeric', month: 'long', year: 'numeric',
    hour: '2-digit', minute: '2-digit', timeZoneName: 'short'
  }).format(expires)
  look()
})()
`
