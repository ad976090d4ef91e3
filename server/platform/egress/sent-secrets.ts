import { isSecretName, secretValuesIn } from './address-secrets.ts';

/** Headers that everyone may see. The value of each other header is a secret, so that a new header for a key is one without more. */
const publicHeaders: ReadonlySet<string> = new Set([
  ...['accept', 'accept-language', 'accept-encoding', 'content-type', 'content-length', 'content-encoding', 'user-agent', 'connection'],
  ...['host', 'cache-control', 'pragma', 'idempotency-key', 'rquid', 'anthropic-version', 'x-github-api-version', 'git-protocol'],
  ...['last-event-id', 'traceparent', 'tracestate'],
]);
/** Headers of the protocol MCP: a server repeats its session's id. */
const publicPrefix = 'mcp-';

/** Fields of forms that are secrets. A refresh token is none here: the answer may hand the same one back, and its reader keeps it from messages. */
const secretFields: ReadonlySet<string> = new Set(['client_secret', 'password', 'code', 'code_verifier', 'client_assertion', 'assertion']);

type Request = { headers?: Readonly<Record<string, string>>; body?: string | Uint8Array; secrets?: readonly string[] };

/** Returns the secrets that a request sends: in its headers, in the query of its address, in a form, and those that its caller names. */
export function sentSecrets(url: URL, { headers = {}, body, secrets = [] }: Request): string[] {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const form = typeof body === 'string' && type.startsWith('application/x-www-form-urlencoded') ? new URLSearchParams(body) : [];
  return [
    ...secrets.flatMap(credentialsIn),
    ...Object.entries(headers).flatMap(([name, value]) => (isPublic(name) ? [] : credentialsIn(value))),
    ...secretValuesIn(url),
    ...[...form].flatMap(([name, value]) => (secretFields.has(name) ? [value] : [])),
  ];
}

function isPublic(name: string): boolean {
  const lower = name.toLowerCase();
  return publicHeaders.has(lower) || lower.startsWith(publicPrefix);
}

/** Words before a credential, which are none. */
const schemes = /^(bearer|basic|token|api-?key|key|digest|negotiate)\s+/i;

/** Returns a value as it is sent without its scheme, the values of cookies, and the parts of name and password. */
function credentialsIn(value: string): string[] {
  const scheme = schemes.exec(value)?.[1]?.toLowerCase();
  const credential = value.replace(schemes, '').trim();
  const cookies = value.includes(';') ? value.split(';').map((one) => one.slice(one.indexOf('=') + 1).trim()) : [];
  const all = [credential, ...cookies];
  if (scheme !== 'basic') return all;
  const decoded = Buffer.from(credential, 'base64').toString('utf8');
  const [name = '', ...password] = decoded.split(':');
  const secret = password.join(':');
  // A name without a password is the secret itself.
  return [...all, decoded, secret, decodedOr(secret), ...(secret.length < 4 ? [name] : [])];
}

function decodedOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the secrets among the variables and arguments with which a program is started. */
export function startedSecrets(environment: Readonly<Record<string, string>>, args: readonly string[]): string[] {
  const named = Object.entries(environment).flatMap(([name, value]) => (isSecretName(name) ? [value] : secretsInText(value)));
  const given = args.flatMap((arg, at) => {
    const [flag = '', ...value] = arg.split('=');
    if (value.length > 0 && isSecretName(flag)) return [value.join('=')];
    return isSecretName(args[at - 1] ?? '') && (args[at - 1] ?? '').startsWith('-') ? [arg] : secretsInText(arg);
  });
  return [...named, ...given];
}

/** Of an address: its password, and the keys of its query. */
function secretsInText(text: string): string[] {
  const url = URL.parse(text);
  return url ? [decodedOr(url.password), ...secretValuesIn(url)] : [];
}
