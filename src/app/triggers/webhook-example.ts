import { eventPath, type TriggerSettings, type WebhookScheme } from '../../../contract/trigger.ts';
import { namesOf, pathOfNames } from '../../../rules/text/body-path.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type WebhookSettings = Extract<TriggerSettings, { kind: 'webhook' }>;

/** The words of an example in the user's language; `of` for a field. */
type Words = { title: string; text: string; of: (name: string) => string };

/** What a sender of each scheme sends, as short as it can be. */
const examples: Record<WebhookScheme, (title: string, text: string) => Json> = {
  standard: (title, text) => ({ type: 'ticket.created', data: { id: '42', title, text, priority: 'high' } }),
  bearer: (title, text) => ({ title, text }),
  github: (title, body) => ({
    action: 'labeled',
    label: { name: 'artel' },
    issue: { number: 42, title, body, html_url: 'https://github.com/acme/shop/issues/42', user: { login: 'ann' } },
    repository: { full_name: 'acme/shop' },
  }),
  gitea: (title, body) => ({
    action: 'label_updated',
    issue: {
      ...{ number: 42, title, body, html_url: 'https://gitea.example.com/acme/shop/issues/42' },
      ...{ user: { login: 'ann' }, labels: [{ name: 'artel' }] },
    },
    repository: { full_name: 'acme/shop' },
  }),
  gitlab: (title, description) => ({
    object_kind: 'issue',
    user: { username: 'ann' },
    object_attributes: { iid: 42, title, description, action: 'update', url: 'https://gitlab.com/acme/shop/-/issues/42' },
    labels: [{ title: 'artel' }],
    project: { path_with_namespace: 'acme/shop' },
  }),
};

/** Returns a body that passes the filter of a webhook and has a value for each of its fields. */
export function exampleOf(
  { scheme, filter, fields }: Pick<WebhookSettings, 'scheme' | 'filter' | 'fields'>,
  { title, text, of }: Words,
): string {
  let body = examples[scheme](title, text);
  for (const [name, path] of Object.entries(fields))
    if (path !== eventPath && at(body, path) === undefined) body = withValue(body, namesOf(path), of(name));
  for (const { path, is, value } of filter) if (path !== eventPath && is !== 'different') body = fitting(body, path, is, value);
  return JSON.stringify(body, null, 2);
}

/** The kinds of events of the examples, as the headers of their senders say them. */
const events: Record<WebhookScheme, string | null> = {
  standard: null,
  bearer: null,
  github: 'issues',
  gitea: 'issues',
  gitlab: 'Issue Hook',
};

/** Returns the kind of an event that passes the filter of a webhook; null for one without a header for it. */
export function exampleEvent({ scheme, filter }: Pick<WebhookSettings, 'scheme' | 'filter'>): string | null {
  return filter.find(({ path, is }) => path === eventPath && is !== 'different')?.value ?? events[scheme];
}

/** Returns the places of values in an example of a scheme, for suggestions. */
export function pathsOf(scheme: WebhookScheme): string[] {
  return leavesOf(examples[scheme]('', ''), []).map(pathOfNames);
}

function fitting(body: Json, path: string, is: 'equal' | 'containing', value: string): Json {
  const found = at(body, path);
  if (is === 'containing' && Array.isArray(found)) return withValue(body, namesOf(path), [...found, value]);
  if (String(found) === value || (is === 'containing' && String(found).includes(value))) return body;
  return withValue(body, namesOf(path), value);
}

function leavesOf(value: Json, names: readonly string[]): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [names];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...names, name]));
}

function at(body: Json, path: string): Json | undefined {
  let value: Json | undefined = body;
  for (const name of namesOf(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as { [name: string]: Json })[name];
  }
  return value;
}

function withValue(body: Json, [name = '', ...rest]: readonly string[], value: Json): Json {
  const inner =
    typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? (body as { [name: string]: Json })[name] : undefined;
  const changed = rest.length === 0 ? value : withValue(inner ?? {}, rest, value);
  if (Array.isArray(body) && /^\d{1,2}$/.test(name))
    return Array.from({ length: Math.max(body.length, Number(name) + 1) }, (_, place) =>
      place === Number(name) ? changed : (body[place] ?? null),
    );
  const record = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  return { ...record, [name]: changed };
}
