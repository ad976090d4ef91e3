import { docsStyle } from './docs-style.ts';
import { html, Markup, prose } from './html.ts';
import type { OpenApiDocument, Operation } from './openapi-document.ts';
import { operationMarkup, pathMarkup } from './operation-markup.ts';
import { schemaMarkup } from './schema-markup.ts';
import { sections } from './texts.ts';

type Call = { path: string; method: string; operation: Operation };

/** Returns the OpenAPI document as an HTML page without scripts and external files. */
export function docsPage(document: OpenApiDocument): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => ({ path, method, operation })),
  );
  const groups = document.tags.map((tag) => ({ ...tag, calls: calls.filter(({ operation }) => operation.tags.includes(tag.name)) }));
  const schemas = Object.entries(document.components.schemas).sort(([one], [other]) => one.localeCompare(other));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Artel API</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${new Markup(docsStyle)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the calls</a>
<nav aria-label="Calls">
<p class="brand"><a href="#main">Artel API</a> <span>${String(document.info.version)}</span></p>
${groups.map(
  ({ name, calls: own }) =>
    html`<details open><summary>${name}</summary><ul>${own.map(
      ({ path, method, operation }) =>
        html`<li><a href="#${operation.operationId}"><span class="method ${method}">${method.toUpperCase()}</span> <span>${pathMarkup(path)}</span></a></li>`,
    )}</ul></details>`,
)}
<details><summary>schemas</summary><ul>${schemas.map(([name]) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul></details>
</nav>
<main id="main" tabindex="-1">
<header>
<h1>Artel API</h1>
<p>The same description for programs: <a href="/api/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
</header>
${sections.map(
  ({ title, paragraphs }) => html`<section><h2>${title}</h2>${paragraphs.map((text) => html`<p>${prose(text)}</p>`)}</section>
`,
)}
${groups.map(
  ({ name, description, calls: own }) => html`<section id="tag-${name}"><h2>${name}</h2><p>${prose(description)}</p>
${own.map(({ path, method, operation }) => operationMarkup(path, method, operation, document.components.schemas))}</section>
`,
)}
<section id="schemas"><h2>schemas</h2>
${schemas.map(
  ([name, schema]) => html`<article id="schema-${name}"><h3><a href="#schema-${name}">${name}</a></h3>${schemaMarkup(schema)}</article>
`,
)}</section>
</main>
</body>
</html>
`.text;
}
