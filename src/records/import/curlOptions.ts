const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Options that take a value and say nothing about what is sent. */
const WITH_VALUE = words(
  'o output m max-time connect-timeout retry retry-delay retry-max-time w write-out x proxy U proxy-user proxy-header noproxy preproxy ' +
    'socks4 socks4a socks5 socks5-hostname resolve connect-to unix-socket interface local-port dns-servers doh-url cacert capath crlfile ' +
    'cert cert-type E key key-type pass pinnedpubkey ciphers tls13-ciphers tls-max c cookie-jar D dump-header limit-rate rate Y speed-limit ' +
    'y speed-time z time-cond C continue-at r range max-redirs max-filesize expect100-timeout keepalive-time K config netrc-file ' +
    'stderr trace trace-ascii trace-config output-dir variable abstract-unix-socket alt-svc create-file-mode curves delegation ' +
    'dns-interface dns-ipv4-addr dns-ipv6-addr ech egd-file engine etag-compare etag-save ftp-account ftp-alternative-to-user ' +
    'ftp-method ftp-port P ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip h help hostpubmd5 hostpubsha256 hsts ip-tos ' +
    'ipfs-gateway keepalive-cnt krb libcurl login-options mail-auth mail-from mail-rcpt parallel-max proto proto-default proto-redir ' +
    'proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-key proxy-key-type proxy-pass ' +
    'proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy1.0 pubkey ' +
    'quote Q random-file sasl-authzid service-name sigalgs socks5-gssapi-service telnet-option t tftp-blksize tlsauthtype ' +
    'tlspassword tlsuser upload-flags vlan-priority'
)

/** Options that take a value and say something about what is sent. */
const VALUED = words(
  'request request-target url-query header data data-raw data-binary data-ascii data-urlencode json form form-string user user-agent referer cookie url ' +
    'oauth2-bearer upload-file aws-sigv4'
)

const SHORT: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  F: 'form',
  u: 'user',
  A: 'user-agent',
  e: 'referer',
  b: 'cookie',
  G: 'get',
  I: 'head',
  T: 'upload-file'
}

/** The options of a call with their values, in their order; what is no option is a `url`. */
export function* optionsOf([, ...words]: readonly string[]): Generator<readonly [name: string, value: string], void> {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const takes = (name: string) => WITH_VALUE.has(name) || VALUED.has(name)
    if (word.startsWith('--')) {
      const name = word.slice(2)
      yield [name, takes(name) ? (words[++at] ?? '') : '']
    } else if (/^-[^-]/.test(word)) {
      // Short options may stand together; the rest of the word is the value of one that takes one.
      for (let i = 1; i < word.length; i++) {
        const name = SHORT[word[i] ?? ''] ?? word[i] ?? ''
        if (!takes(name)) {
          yield [name, '']
          continue
        }
        yield [name, i + 1 < word.length ? word.slice(i + 1) : (words[++at] ?? '')]
        break
      }
    } else yield ['url', word]
  }
}
