/** The style sheet of the API page: light and dark, any width, system fonts. */
export const docsStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#ffffff, #14161a);
  --panel: light-dark(#f6f7f9, #1b1e24);
  --line: light-dark(#dfe3e8, #2d323b);
  --ink: light-dark(#1a1d23, #e7eaef);
  --soft: light-dark(#545b66, #a3acba);
  --link: light-dark(#3046c0, #a9b8ff);
  --get: light-dark(#0b6b3a, #7fdca8);
  --post: light-dark(#3046c0, #a9b8ff);
  --put: light-dark(#8a4b00, #f2bf7a);
  --delete: light-dark(#a3202a, #ff9ea4);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--ground); color: var(--ink); display: grid; grid-template-columns: 20rem minmax(0, 1fr);
  font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere;
}
code { font: 0.92em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
a { color: var(--link); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; padding: 0.5rem 1rem; background: var(--ground); z-index: 1; }
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem; background: var(--panel);
  border-right: 1px solid var(--line); font-size: 0.85rem;
}
nav ul { list-style: none; margin: 0 0 0.75rem; padding: 0; }
nav li a { display: flex; align-items: baseline; gap: 0.25rem; padding: 0.2rem 0.5rem; border-radius: 6px; color: var(--ink); text-decoration: none; }
nav li a:hover { background: var(--line); }
.brand { margin: 0 0.5rem 1rem; font-size: 1rem; font-weight: 600; }
.brand a { color: inherit; text-decoration: none; }
.brand span { color: var(--soft); font-weight: 400; }
summary { cursor: pointer; font-weight: 600; padding: 0.2rem 0.5rem; border-radius: 6px; }
main { padding: 2rem clamp(1rem, 4vw, 4rem) 6rem; max-width: 64rem; outline-offset: -2px; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.4rem; margin: 2.5rem 0 0.5rem; }
section[id] > h2 { margin-top: 4rem; padding-top: 1.5rem; border-top: 1px solid var(--line); text-transform: capitalize; }
h3 { font-size: 1.05rem; margin: 0; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { font-size: 0.8rem; margin: 1.25rem 0 0.25rem; color: var(--soft); text-transform: uppercase; letter-spacing: 0.05em; }
p { margin: 0.5rem 0; max-width: 46rem; }
article { margin: 1.25rem 0; padding: 1.25rem; border: 1px solid var(--line); border-radius: 12px; background: var(--panel); }
article:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
.method { font: 700 0.75em/1.5 ui-monospace, Menlo, Consolas, monospace; flex: 0 0 4.4em; white-space: nowrap; color: var(--soft); }
.get { color: var(--get); } .post { color: var(--post); } .put, .patch { color: var(--put); } .delete { color: var(--delete); }
.auth, .limits, .place, .optional, .status { color: var(--soft); font-size: 0.85rem; font-weight: 400; }
.type { margin: 0.25rem 0; }
.fields { margin: 0.25rem 0; border-top: 1px solid var(--line); display: grid; grid-template-columns: minmax(8rem, 14rem) minmax(0, 1fr); }
.fields dt, .fields dd { margin: 0; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); }
.fields p { margin: 0; }
.fields summary, .example > summary, .failures > summary { padding-left: 0; font-size: 0.85rem; color: var(--link); }
.example { margin-top: 1rem; }
pre { margin: 0.5rem 0; padding: 0.75rem; overflow-x: auto; max-height: 30rem; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); }
pre code { overflow-wrap: normal; }
@media (max-width: 60rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); }
}
@media (max-width: 36rem) {
  .fields { display: block; }
  .fields dt { border-bottom: 0; padding-bottom: 0; }
}
@media print { nav, .skip { display: none; } body { display: block; } }
`;
