/** The form that tries a call, on the page of the API. It sends real calls with the key that is typed, which stays in this page. */

/** How much of an answer is shown (characters). */
const shownLength = 200_000;

/** @type {(id: string) => any} */
const part = (id) => document.getElementById(`try-${id}`);
/** @type {AbortController | null} */
let underWay = null;
/** The calls that take a key, by their operation id. */
const calls = new Map();

/**
 * The address that the page was opened with, until its reader scrolls or chooses another part: while it loads, the page changes its address by itself.
 * @type {string | null}
 */
let opened = location.hash;
for (const event of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
  addEventListener(event, ({ target }) => {
    if (!(target instanceof Element && target.closest('#try-open, #try-dialog'))) opened = null;
  });

// Begun before the description is drawn, which takes seconds of processor: the form is filled when it is opened.
let reading = beginReading();

part('open').addEventListener('click', open);
part('close').addEventListener('click', () => part('dialog').close());
part('dialog').addEventListener('close', () => underWay?.abort());
part('call').addEventListener('change', showCall);
part('stop').addEventListener('click', () => underWay?.abort());
part('form').addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});

async function open() {
  part('dialog').showModal();
  try {
    await reading;
  } catch {
    reading = beginReading();
    say('The list of calls could not be read. Close this form and open it again.');
    return;
  }
  // The part of the page that is looked at names its call.
  const isShown = ({ method, path }) => [path, encodeURI(path)].some((text) => (opened || location.hash).endsWith(`/${method}${text}`));
  for (const [id, call] of calls) if (isShown(call)) part('call').value = id;
  showCall();
}

/** Begins to fill the list of calls. What fails is said when the form is opened. */
function beginReading() {
  const begun = readCalls();
  begun.catch(() => {});
  return begun;
}

/** Fills the list of calls, in groups, from the description of the API. */
async function readCalls() {
  const { paths } = await (await fetch('/api/openapi.json')).json();
  const groups = new Map();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, call] of Object.entries(methods)) {
      const scopes = call.security?.find((one) => one.apiKey)?.apiKey;
      if (!scopes) continue;
      calls.set(call.operationId, { ...call, path, method: method.toUpperCase(), scopes });
      const [tag] = call.tags;
      if (!groups.has(tag)) groups.set(tag, element('optgroup', { label: tag }));
      groups
        .get(tag)
        .append(element('option', { value: call.operationId, textContent: `${call.summary}: ${method.toUpperCase()} ${path}` }));
    }
  }
  part('call').replaceChildren(...groups.values());
}

/** Shows the fields of the chosen call. */
function showCall() {
  const call = calls.get(part('call').value);
  part('about').textContent = `${call.description} Needs a key with the scope ${call.scopes.join(' or ')}.`;
  const fields = (call.parameters ?? []).map((parameter) => {
    const { name, required = false } = parameter;
    const input = element('input', { required, autocomplete: 'off', spellcheck: false });
    input.dataset.name = name;
    input.dataset.in = parameter.in;
    if (required) input.placeholder = String(parameter.example ?? '');
    return labelled(`${name} (${parameter.in}${required ? '' : ', optional'})`, input);
  });
  const [type, content] = Object.entries(call.requestBody?.content ?? {})[0] ?? [];
  if (type === 'application/json') {
    const body = element('textarea', { id: 'try-body', rows: 8, spellcheck: false, value: JSON.stringify(content.example ?? {}, null, 2) });
    body.addEventListener('input', () => body.setCustomValidity(''));
    fields.push(labelled('Body (JSON)', body));
  } else if (type) fields.push(labelled(`Body (${type})`, element('input', { id: 'try-body', type: 'file', required: true })));
  part('fields').replaceChildren(...fields);
  say('');
  part('answer').replaceChildren();
}

async function send() {
  const call = calls.get(part('call').value);
  const request = call && requestOf(call);
  if (!request) return;
  underWay?.abort();
  const stop = new AbortController();
  underWay = stop;
  part('stop').hidden = false;
  part('answer').replaceChildren();
  say('Waiting for the answer…');
  const startedAt = performance.now();
  try {
    const answer = await fetch(request.url, { ...request.options, signal: stop.signal });
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(2);
    say(`${answer.status} ${answer.statusText} after ${seconds} s`);
    await showAnswer(answer);
  } catch (problem) {
    if (underWay === stop) say(stop.signal.aborted ? 'Stopped.' : `No answer: ${problem.message}.`);
  }
  if (underWay === stop) part('stop').hidden = true;
}

/** Returns the call as it is filled in; null where a field is wrong, which the browser then shows. */
function requestOf(call) {
  const body = part('body');
  if (body?.type === 'textarea' && !isJson(body.value)) body.setCustomValidity('This is not JSON.');
  if (!part('form').reportValidity()) return null;
  let { path } = call;
  const query = new URLSearchParams();
  const headers = { authorization: `Bearer ${part('key').value.trim()}` };
  for (const { value, dataset } of part('fields').querySelectorAll('[data-name]')) {
    if (value === '') continue;
    if (dataset.in === 'path') path = path.replace(`{${dataset.name}}`, encodeURIComponent(value));
    else if (dataset.in === 'query') query.append(dataset.name, value);
    else headers[dataset.name] = value;
  }
  if (body) headers['content-type'] = Object.keys(call.requestBody.content)[0];
  const search = query.toString();
  return {
    url: `/api${path}${search ? `?${search}` : ''}`,
    // The session of a person who is signed in plays no part.
    options: { method: call.method, headers, credentials: 'omit', cache: 'no-store', ...(body && { body: body.files?.[0] ?? body.value }) },
  };
}

/** Shows a text as it comes, up to `shownLength`, and other content as a file. */
async function showAnswer(answer) {
  const type = answer.headers.get('content-type') ?? '';
  if (answer.body === null || type === '') return;
  if (!/json|^text\//.test(type)) {
    const href = URL.createObjectURL(await answer.blob());
    part('answer').append(element('a', { href, download: 'answer', textContent: `Save the answer (${type})` }));
    return;
  }
  const shown = element('pre', { tabIndex: 0 });
  shown.setAttribute('role', 'region');
  shown.setAttribute('aria-label', 'Answer');
  part('answer').append(shown);
  let text = '';
  const decoder = new TextDecoder();
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    shown.textContent = text.slice(0, shownLength);
    if (done) break;
    if (text.length > shownLength) {
      await reader.cancel();
      part('answer').append(element('p', { textContent: `Only the first ${shownLength} characters are shown.` }));
      return;
    }
  }
  if (isJson(text)) shown.textContent = JSON.stringify(JSON.parse(text), null, 2);
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function say(text) {
  part('status').textContent = text;
}

function labelled(text, field) {
  const label = element('label', { textContent: text });
  label.append(field);
  return label;
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}
