import { html, type Markup, prose } from './html.ts';
import type { Json } from './named-schemas.ts';
import type { Content, Operation, Parameter, Response } from './openapi-document.ts';
import { limitsMarkup, schemaMarkup, typeMarkup } from './schema-markup.ts';

/** Returns the markup of one call: request, response and failures. */
export function operationMarkup(path: string, method: string, operation: Operation, named: Record<string, Json>): Markup {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const statuses = Object.entries(responses).sort(([one], [other]) => Number(one) - Number(other));
  const done = statuses.filter(([status]) => Number(status) < 400);
  const failed = statuses.filter(([status]) => Number(status) >= 400);
  return html`<article id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title"><a href="#${operationId}"><span class="method ${method}">${method.toUpperCase()}</span> <code>${pathMarkup(path)}</code></a></h3>
<p class="summary">${summary}. <span class="auth">${callers[operation['x-caller']]}</span></p>
<p>${prose(description)}</p>
${parameters.length > 0 ? html`<h4>Parameters</h4>${parametersMarkup(parameters)}` : null}
${requestBody ? html`<h4>Body${requestBody.required ? null : ', which may be left out'}</h4>${contentMarkup(requestBody.content, named)}` : null}
${done.map(([status, response]) => html`<h4>Answer <span class="status">${status}</span></h4>${answerMarkup(response, named)}`)}
<details class="example"><summary>Example</summary>
${operation['x-codeSamples'].map(({ source }) => codeMarkup(source))}
${done.map(([status, response]) => exampleMarkup(status, response))}</details>
<details class="failures"><summary>Failures <span class="status">${failed.map(([status]) => status).join(' ')}</span></summary>
<dl class="fields">${failed.map(([status, { description }]) => html`<dt>${status}</dt><dd>${description.split('\n').map((line) => html`<p>${prose(line)}</p>`)}</dd>`)}</dl></details>
</article>
`;
}

const callers = { public: 'No account needed.', user: 'Signed-in users.', staff: 'Staff only.' };

/** Returns a path with line break opportunities before its slashes. */
export function pathMarkup(path: string): Markup {
  return html`${path.split('/').map((piece, index) => (index === 0 ? html`${piece}` : html`<wbr>/${piece}`))}`;
}

function exampleMarkup(status: string, { content = {} }: Response): Markup {
  const shown = Object.values(content).find((media) => 'example' in media)?.example;
  if (shown === undefined) return html``;
  return html`<p class="status">${status}</p>${codeMarkup(typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2))}`;
}

/** A block that scrolls by itself, with the keyboard too. */
function codeMarkup(text: string): Markup {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

function parametersMarkup(parameters: Parameter[]): Markup {
  return html`<dl class="fields">${parameters.map(
    ({ name, in: place, required, description, schema }) =>
      html`<dt><code>${name}</code> <span class="place">${place}</span>${
        required ? null : html` <span class="optional">optional</span>`
      }</dt><dd>${typeMarkup(schema)}${limitsMarkup(schema)}${description === undefined ? null : html`<p>${prose(description)}</p>`}</dd>`,
  )}</dl>`;
}

function answerMarkup({ description, headers, content }: Response, named: Record<string, Json>): Markup {
  const own = Object.keys(headers ?? {}).filter((name) => name !== 'X-Request-Id');
  return html`${content ? contentMarkup(content, named) : html`<p>${prose(description)}</p>`}${
    own.length > 0 ? html`<p>With the header ${own.map((name) => html`<code>${name}</code>`)}.</p>` : null
  }`;
}

function contentMarkup(content: Content, named: Record<string, Json>): Markup {
  return html`${Object.entries(content).map(([type, { schema }]) =>
    type === 'application/json' ? schemaMarkup(schema, named) : html`<p>As <code>${type}</code>:</p>${schemaMarkup(schema, named)}`,
  )}`;
}
