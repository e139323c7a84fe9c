/** The style sheet of the join page. Its hash is in the Content-Security-Policy: exactly this text is served. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #eef2f6; --card: #fff; --line: #dbe3eb; --edge: #b4c1cf; --text: #14212f; --soft: #526275;
  --accent: #0b5f93; --accent-strong: #084a74; --on-accent: #fff;
  --bad: #9c1c1a; --bad-back: #fdf1f0; --bad-line: #efc4c1;
  --note: #664400; --note-back: #fff7e3; --note-line: #ecd7a3;
  --good: #14683c; --shadow: 0 1px 2px #14212f14, 0 12px 32px #14212f14;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #0c1218; --card: #151d26; --line: #2b3845; --edge: #475766; --text: #e9eff5; --soft: #a2b2c3;
    --accent: #6bbdf2; --accent-strong: #94d0f8; --on-accent: #06202f;
    --bad: #ffb3ab; --bad-back: #331a1b; --bad-line: #6a3030;
    --note: #f3d58d; --note-back: #302710; --note-line: #5f4e20;
    --good: #7fdba6; --shadow: 0 1px 2px #0006, 0 12px 32px #0006;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100svh; padding: 1rem;
  display: grid; grid-template-columns: minmax(0, 32rem); justify-content: center; align-content: center;
  background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  overflow-wrap: anywhere;
}
main {
  padding: clamp(1.25rem, 6vw, 2.5rem); border: 1px solid var(--line); border-radius: 1rem;
  background: var(--card); box-shadow: var(--shadow);
}
p, h1, h2, dl, dd, ul { margin: 0; padding: 0; text-wrap: pretty; }
svg { flex: none; width: 1.125rem; height: 1.125rem; fill: none; stroke: currentColor; stroke-width: 1.75;
  stroke-linecap: round; stroke-linejoin: round; }
.mark { width: 3rem; height: 3rem; padding: .5rem; border-radius: .75rem; background: var(--accent);
  color: var(--on-accent); stroke-width: 1.5; }
h1 { margin-top: 1rem; font-size: clamp(1.5rem, 6vw, 1.875rem); line-height: 1.2; letter-spacing: -.015em;
  text-wrap: balance; }
.lead { margin-top: .5rem; color: var(--soft); }
.notice { display: flex; gap: .75rem; margin-top: 1.25rem; padding: .875rem 1rem; border: 1px solid;
  border-radius: .625rem; }
.notice svg { margin-top: .1875rem; }
.notice strong { display: block; }
.bad { border-color: var(--bad-line); background: var(--bad-back); color: var(--bad); }
.note { border-color: var(--note-line); background: var(--note-back); color: var(--note); }
h2 { margin-top: 1.75rem; font-size: .9375rem; }
dl { margin-top: .5rem; border-block: 1px solid var(--line); }
dl div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0 1rem; padding: .5rem 0; }
dl div + div { border-top: 1px solid var(--line); }
dt { color: var(--soft); }
ul { list-style: none; }
#left { display: block; color: var(--soft); font-size: .875rem; }
.late #left { color: var(--bad); font-weight: 600; }
.late .lead, .late .said, .late .hint { display: none; }
.actions { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); gap: .75rem;
  margin-top: 1.75rem; }
.button { display: inline-flex; align-items: center; justify-content: center; gap: .5rem; min-height: 2.75rem;
  padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: .625rem; background: transparent;
  color: var(--text); font: inherit; font-weight: 600; font-size: .9375rem; text-align: center;
  text-decoration: none; cursor: pointer; }
.button:hover { border-color: var(--soft); }
.wide, .primary { grid-column: 1 / -1; }
.primary { min-height: 3rem; font-size: 1rem; border-color: var(--accent);
  background: var(--accent); color: var(--on-accent); }
.primary:hover { border-color: var(--accent-strong); background: var(--accent-strong); }
.button:disabled, .button[aria-disabled] { border-color: var(--line); background: var(--back);
  color: var(--soft); cursor: not-allowed; }
.done, .done:hover { border-color: var(--good); color: var(--good); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.manual { margin: .75rem 0 1rem; }
.manual label { display: block; margin-bottom: .25rem; font-weight: 600; }
textarea { display: block; width: 100%; padding: .5rem .75rem; border: 1px solid var(--soft); border-radius: .625rem;
  background: var(--back); color: inherit; font: .875rem/1.5 ui-monospace, monospace; resize: vertical; }
.said { min-height: 1.3125rem; margin-top: .5rem; font-size: .875rem; }
.hint { margin-top: .25rem; color: var(--soft); font-size: .875rem; }
.touch { display: none; }
.steps { margin-top: 1.25rem; padding-left: 1.25rem; list-style: disc; }
.steps li + li { margin-top: .5rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (hover: none) and (pointer: coarse) { .touch { display: block; } }
@media (max-width: 26rem) { dl div { grid-template-columns: minmax(0, 1fr); } dt { font-size: .875rem; } }
@media (prefers-reduced-motion: no-preference) {
  .button:hover { transition: background-color .15s, border-color .15s, color .15s; }
}
`
