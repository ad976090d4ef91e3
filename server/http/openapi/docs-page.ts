export const scriptAddress = '/api/docs/scalar.js';

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
  // Its form has 19 faults that axe finds, of which 14 are critical: fields that a screen reader cannot use.
  hideTestRequestButton: true,
};

/** The page of the API, which Scalar draws from the OpenAPI document. It has no inline script, so the policy of all pages holds for it. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Artel API</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
</head>
<body>
<script id="api-reference" type="application/json" data-configuration="${JSON.stringify(configuration).replaceAll('"', '&quot;')}"></script>
<script src="${scriptAddress}"></script>
</body>
</html>
`;
