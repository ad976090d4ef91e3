export const scriptAddress = '/api/docs/scalar.js';
export const formAddress = '/api/docs/try-call.js';

/** Colours that Scalar lacks for a contrast of 4.5 to 1. */
const customCss = `
.light-mode {
  --scalar-color-3: #666;
  --scalar-color-blue: #0a5ca8;
  --scalar-color-green: #0b6b3a;
  --scalar-color-orange: #8a4b00;
  --scalar-color-red: #a3202a;
  --scalar-color-yellow: #7a5a00;
}
.dark-mode {
  --scalar-color-3: #9a9a9a;
  --scalar-color-red: #ff9ea4;
}
/* A description that scrolls is not reached by keys. */
.response-description .response-description-markdown {
  max-height: none;
}`;

/** Scalar's own servers are never asked: not for fonts, telemetry, its agent or its editor. */
const configuration = {
  customCss,
  url: '/api/openapi.json',
  favicon: '/icon.svg',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  // Its form has 19 faults that axe finds, of which 14 are critical: fields that a screen reader cannot use. `form` is in its place.
  hideTestRequestButton: true,
};

/** The form that tries a call with a key; `try-call.js` fills it. Its colours are Scalar's, which follow the theme that is chosen on the page. */
const form = `
<style>
#try-open, #try-dialog { --try-line: #8a8a8a; }
.dark-mode :is(#try-open, #try-dialog) { --try-line: #666; }
#try-open { position: fixed; right: 16px; bottom: 16px; z-index: 20; box-shadow: 0 2px 12px rgb(0 0 0 / 25%); }
#try-dialog { box-sizing: border-box; width: min(720px, calc(100vw - 24px)); max-height: calc(100dvh - 24px); padding: 20px; overflow-y: auto;
  border: 1px solid var(--scalar-border-color); border-radius: 10px; background: var(--scalar-background-1); color: var(--scalar-color-1); }
#try-dialog::backdrop { background: rgb(0 0 0 / 50%); }
#try-dialog, #try-open { font: 14px/20px system-ui, sans-serif; }
#try-dialog h2 { margin: 0; font-size: 18px; }
#try-dialog #try-status { margin: 12px 0; }
#try-dialog p { margin: 0; overflow-wrap: anywhere; }
#try-form, #try-fields, #try-answer { display: grid; gap: 12px; min-width: 0; }
#try-dialog label { display: grid; gap: 4px; min-width: 0; }
#try-dialog :is(input, select, textarea) { box-sizing: border-box; width: 100%; min-width: 0; min-height: 36px; padding: 6px 8px; font: inherit;
  border: 1px solid var(--try-line); border-radius: 6px; background: var(--scalar-background-1); color: inherit; }
#try-dialog :is(textarea, pre) { font-family: ui-monospace, monospace; font-size: 13px; }
#try-dialog pre { max-height: 320px; margin: 0; padding: 8px; overflow: auto; border: 1px solid var(--scalar-border-color); border-radius: 6px;
  white-space: pre-wrap; overflow-wrap: anywhere; }
#try-open, #try-dialog button { min-height: 36px; padding: 6px 14px; border: 1px solid var(--try-line); border-radius: 6px; cursor: pointer;
  background: var(--scalar-background-1); color: var(--scalar-color-1); font-weight: 600; }
#try-open, #try-dialog [type='submit'] { border-color: #4f46e5; background: #4f46e5; color: #fff; }
#try-form > div:last-child { display: flex; gap: 8px; }
:is(#try-open, #try-dialog *):focus-visible { outline: 2px solid #8b8cf9; outline-offset: 1px; }
</style>
<aside aria-label="Try a call"><button type="button" id="try-open">Try a call</button></aside>
<dialog id="try-dialog" aria-labelledby="try-title">
<form id="try-form">
<h2 id="try-title">Try a call</h2>
<p>The call is real: it reads and changes what the key reaches. Keys are made in the account window of the workspace. Yours stays in this page.</p>
<label>API key<input id="try-key" type="password" required autocomplete="off" spellcheck="false" maxlength="100" placeholder="art_"></label>
<label>Call<select id="try-call"></select></label>
<p id="try-about"></p>
<div id="try-fields"></div>
<div><button type="submit">Send</button><button type="button" id="try-stop" hidden>Stop</button><button type="button" id="try-close">Close</button></div>
</form>
<p id="try-status" role="status"></p>
<div id="try-answer"></div>
</dialog>`;

/** The page of the API, which Scalar draws from the OpenAPI document. It has no inline script, so the policy of all pages holds for it. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Artel API</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
</head>
<body>${form}
<script id="api-reference" type="application/json" data-configuration="${JSON.stringify(configuration).replaceAll('"', '&quot;')}"></script>
<script src="${formAddress}" type="module"></script>
<script src="${scriptAddress}" defer></script>
</body>
</html>
`;
