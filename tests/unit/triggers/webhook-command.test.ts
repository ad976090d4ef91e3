import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bodyPath, type FilterRule, type WebhookScheme, webhookSchemes } from '../../../contract/trigger.ts';
import { namesOf, pathOfNames } from '../../../rules/text/body-path.ts';
import { inputOf } from '../../../server/modules/triggers/trigger-kinds.ts';
import { checkWebhook, newWebhookSecret } from '../../../server/modules/triggers/webhook-secret.ts';
import { commandOf } from '../../../src/app/triggers/webhook-command.ts';
import { exampleEvent, exampleOf, pathsOf } from '../../../src/app/triggers/webhook-example.ts';

const words = { title: 'Dates are wrong', text: 'As ever.', of: (name: string) => `example of ${name}` };
const address = 'https://artel.example.com/hooks/019a2f10-0000-7000-8000-00000000001b';

/** Executes the lines in a shell where `curl` writes its arguments. */
function sentBy(command: string): { url: string; headers: Record<string, string>; body: string } {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const args = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0');
  const after = (name: string) => args.flatMap((arg, at) => (arg === name ? [args[at + 1] ?? ''] : []));
  const headers = after('-H').map((line): [string, string] => {
    const [, name = '', value = ''] = /^([^:]+): (.*)$/s.exec(line) ?? [];
    return [name.toLowerCase(), value];
  });
  return { url: args[1] ?? '', headers: Object.fromEntries(headers), body: after('--data-binary')[0] ?? '' };
}

const bodies = [
  '{"title":"Dates"}',
  `{"title":"it's 100% \\"$HOME\\" \`id\` \\\\n !"}`,
  '{"title":"Дата — неверная 🙂"}',
  exampleOf({ scheme: 'github', filter: [], fields: {} }, words),
];

test.each(webhookSchemes)(
  'L4.05 the command for %s is accepted as it is shown',
  (scheme) => {
    for (const body of bodies) {
      const secret = newWebhookSecret(scheme);
      const sent = sentBy(commandOf({ scheme, address, secret, event: "it's", body }));
      expect(sent.url).toBe(address);
      expect(sent.body).toBe(body);
      expect(Object.values(sent.headers)).toContain("it's");
      expect(sent.headers['content-type']).toBe('application/json');
      const proof = (one: string) => checkWebhook(scheme, [one], { headers: sent.headers, body: Buffer.from(sent.body), now: new Date() });
      expect(proof(secret)).toBe('genuine');
      expect(proof(newWebhookSecret(scheme))).toBe('forged');
    }
  },
  30_000,
);

test.each(webhookSchemes)('L4.05 the command for %s is another delivery each time', (scheme) => {
  const command = commandOf({ scheme, address, secret: newWebhookSecret(scheme), event: null, body: '{}' });
  const names = ['webhook-id', 'x-github-delivery', 'x-gitea-delivery', 'idempotency-key'];
  const ids = [sentBy(command), sentBy(command)].map(({ headers }) => names.map((name) => headers[name]).find((id) => id));
  expect(ids[0]).toBeTruthy();
  expect(ids[0]).not.toBe(ids[1]);
});

test('L4.05 the secret stands in one line, and in none where it is not shown any more', () => {
  const shown = commandOf({ scheme: 'standard', address, secret: 'whsec_abc', event: null, body: '{}' });
  expect(shown.split('\n').filter((line) => line.includes('whsec_abc'))).toEqual(["SECRET='whsec_abc'"]);
  expect(commandOf({ scheme: 'standard', address, secret: null, event: null, body: '{}' }).split('\n')[0]).toBe("SECRET='…'");
});

const rules: FilterRule[] = [
  { path: 'action', is: 'equal', value: 'opened' },
  { path: 'issue.number', is: 'equal', value: '42' },
  { path: 'issue.labels', is: 'containing', value: 'bug' },
  { path: 'labels.0.title', is: 'containing', value: 'art' },
  { path: 'deep.2.name', is: 'equal', value: 'x' },
  { path: 'sender', is: 'different', value: 'bot' },
  { path: 'fields.System\\.State', is: 'equal', value: 'Ready' },
  { path: '$event', is: 'equal', value: 'discussion' },
];

test.each(webhookSchemes)('L4.06 an example for %s passes the filter and has a value for each field', (scheme: WebhookScheme) => {
  const settings = { kind: 'webhook' as const, scheme, filter: rules, fields: { title: 'issue.title', other: 'quite.new.0.path' } };
  const fields = ['title', 'other'].map((name) => ({ kind: 'text' as const, name, title: '', isOptional: false }));
  const read = inputOf(settings, fields, { body: exampleOf(settings, words), event: exampleEvent(settings) });
  expect(read.denied).toBeNull();
  expect(read.input).toEqual({ title: expect.stringMatching(/./), other: 'example of other' });
});

test.each(webhookSchemes)('L4.06 the places that are offered for %s are in its example', (scheme) => {
  const body: unknown = JSON.parse(exampleOf({ scheme, filter: [], fields: {} }, words));
  const at = (path: string) => namesOf(path).reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], body);
  expect(pathsOf(scheme).length).toBeGreaterThan(1);
  for (const path of pathsOf(scheme)) expect(at(path)).toBeDefined();
});

test.each([['fields', 'System.State'], ['$event'], ['a\\', 'b.c$'], ['app.kubernetes.io/name'], ['Due date', '0']])(
  'L1.04 a name with a dot, a dollar, a backslash or a space can be written in a path',
  (...names) => {
    expect(namesOf(pathOfNames(names))).toEqual(names);
    expect(bodyPath.safeParse(pathOfNames(names)).success).toBe(true);
  },
);

test.each(['a..b', '.a', 'a.', 'a\\', 'a\nb', '.'])('L1.04 the path %j is refused', (path) => {
  expect(bodyPath.safeParse(path).success).toBe(false);
});
