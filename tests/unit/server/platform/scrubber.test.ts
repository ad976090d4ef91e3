import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScrubber } from '../../../../server/platform/egress/scrubber.ts';
import { sentSecrets, startedSecrets } from '../../../../server/platform/egress/sent-secrets.ts';

const secret = 'sk-a/b+c&d"1é=';
const encoded = encodeURIComponent(secret);
const based = (before: string, after: string) => Buffer.from(`${before}${secret}${after}`).toString('base64');

/** Every way in which servers repeat what they were sent. */
const repeated: Record<string, string> = {
  'as it is': secret,
  'percent-encoded': encoded,
  'percent-encoded in lower case': encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  'in JSON': JSON.stringify(secret),
  'in JSON of PHP': JSON.stringify(secret).replaceAll('/', '\\/'),
  'in JSON of Go': JSON.stringify(secret).replaceAll('&', '\\u0026'),
  'in HTML': secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  'in hexadecimal digits': Buffer.from(secret).toString('hex'),
  'in base64': based('', ''),
  'in base64 after one byte': based('x', ''),
  'in base64 after two bytes': based('xy', 'z'),
  'in base64 of a header': based('token:', ''),
  'in base64 for addresses': Buffer.from(secret).toString('base64url'),
};

/** Forms that would still give the secret away, without the characters at their ends that other text decides. */
const isThere = (text: string) => Object.values(repeated).some((form) => text.includes(form.replace(/^"|"$/g, '').slice(4, -4)));

test.each(Object.entries(repeated))('G8.16 a secret that comes back %s is taken out', (_, form) => {
  const { text, isIn } = createScrubber([secret]);
  expect(isThere(text(`The key <${form}> is wrong.`))).toBe(false);
  expect(text(`The key <${form}> is wrong.`)).toMatch(/^The key <.*\*\*\*.*> is wrong\.$/);
  expect(isIn(Buffer.from(`x${form}x`))).toBe(true);
});

test('G8.16 a secret is taken out of each place where a stream may split it, and all else stays', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(repeated)),
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
      (form, around, sizes) => {
        const whole = `${around}${form}${around}sk-a/b`;
        const { texts, text } = createScrubber([secret]);
        const pieces = texts();
        let told = '';
        for (let at = 0, index = 0; at < whole.length; index += 1) {
          const size = sizes[index % sizes.length] ?? 1;
          told += pieces.push(whole.slice(at, at + size));
          at += size;
        }
        told += pieces.end();
        expect(told).toBe(text(whole));
        expect(isThere(told)).toBe(false);
      },
    ),
  );
});

test('G8.16 bytes with lengths in their format keep them, and other bytes stay as they are', () => {
  const pieces = createScrubber(['token-12345678']).bytes({ keepsLength: true });
  const parts = ['0031ref tok', 'en-1234', '5678 end', '\u00ff\u0000'].map((part) => Buffer.from(part, 'latin1'));
  const told = Buffer.concat([...parts.map((part) => pieces.push(part)), pieces.end()]);
  expect(told.toString('latin1')).toBe('0031ref ************** end\u00ff\u0000');
});

test('G8.16 a parsed value has no secret, neither in its texts nor in its keys', () => {
  const { value } = createScrubber(['token-12345678']);
  expect(value({ a: ['token-12345678', 1, null], 'x token-12345678': { b: true } })).toEqual({ a: ['***', 1, null], 'x ***': { b: true } });
});

test('G8.16 a secret that is too short to be told from a word stays in the text', () => {
  expect(createScrubber(['error', '']).text('An error.')).toBe('An error.');
});

test('G8.16 whatever a request sends in a header is a secret, unless the header is known as public', () => {
  const url = new URL('https://git.example.com/api/pulls?state=open&head=ann:artel/bake-000000000008&api_key=in-the-query');
  const basic = Buffer.from('token:password-in-basic').toString('base64');
  const headers = {
    authorization: `Basic ${basic}`,
    'x-brand-new': 'of a new header',
    accept: 'application/json',
    'mcp-session-id': 'session-of-the-server',
    cookie: 'a=1; sid=of-a-cookie',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const sent = sentSecrets(url, {
    headers,
    body: 'client_secret=of+a+form&grant_type=refresh_token&refresh_token=may-come-back',
    secrets: ['Bearer named'],
  });
  for (const one of [basic, 'password-in-basic', 'of a new header', 'of-a-cookie', 'in-the-query', 'of a form', 'named'])
    expect(sent).toContain(one);
  const { text } = createScrubber(sent);
  const plain = 'application/json session-of-the-server may-come-back ann:artel/bake-000000000008 refresh_token open';
  expect(text(plain)).toBe(plain);
});

test('G8.16 a program is sent the secrets among its variables and arguments, and no paths', () => {
  const variables = { PATH: '/usr/bin:/bin', GITHUB_TOKEN: 'ghp-1234567', DB: 'postgres://me:its-password@db/x' };
  const args = ['--root=/srv/documents', '--api-key=of-an-argument', '--secret', 'after-its-name', '--port'];
  expect(startedSecrets(variables, args).filter((one) => one !== '')).toEqual(
    expect.arrayContaining(['ghp-1234567', 'its-password', 'of-an-argument', 'after-its-name']),
  );
  expect(createScrubber(startedSecrets(variables, args)).text('/usr/bin:/bin /srv/documents')).toBe('/usr/bin:/bin /srv/documents');
});
