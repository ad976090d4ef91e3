/** Names of fields whose values are secrets. */
const secretNames =
  /(^|[^a-z])(auth|pat|sig|pwd|pass|jwt|bearer|code|session|sid|keys?)([^a-z]|$)|(api|access|app|subscription|secret)key|token|secret|passw|passphrase|credential|signature|authorization/;
/** Beginnings of keys that are known: OpenAI and others, GitHub, GitLab, Slack, AWS, Google, Hugging Face, a JWT. */
const knownKeys = /^(sk|pk|rk|api|key)[-_]|^(gh[opsu]|github_pat)_|^glpat-|^xox[a-z]-|^AKIA|^AIza|^hf_|^eyJ/;
/** A random text has this length at least. */
const randomLength = 20;
/** What is shown of a key in an address. */
const hidden = '***';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a field, a header or a variable of this name holds a secret: `api_key`, `apiKey`, `ACCESS_TOKEN`. */
export function isSecretName(name: string): boolean {
  return secretNames.test(name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase());
}

/**
 * Whether an address holds a secret: name or password, or a key in its query or fragment, by the name of the field or as its value looks. Such an address
 * is not stored: it is shown, logged and backed up as it is, and keys have fields of their own, which are encrypted.
 */
export function holdsSecret(url: URL): boolean {
  const fields = [...url.searchParams, ...new URLSearchParams(url.hash.slice(1))];
  return url.username !== '' || url.password !== '' || fields.some(([name, value]) => isSecretField(name, value));
}

/** Returns a stored address as it may be shown. One of an earlier version may hold a key: it works, and its next change has to take the key out. */
export function shownAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null || !holdsSecret(url)) return address;
  const fields = [...url.searchParams].map(([name, value]): [string, string] => {
    if (!isSecretField(name, value)) return [name, value];
    return value === '' ? [hidden, ''] : [name, hidden];
  });
  url.search = new URLSearchParams(fields).toString();
  if (url.username !== '' || url.password !== '') url.username = url.password = hidden;
  url.hash = '';
  return url.href;
}

/** The same of the address of a receiver of events: Slack, Discord and others put their key into its path. */
export function shownReceiver(address: string): string {
  const url = URL.parse(shownAddress(address));
  if (url === null) return address;
  url.pathname = url.pathname
    .split('/')
    .map((part) => (looksLikeKey(part) ? hidden : part))
    .join('/');
  return url.href;
}

/** Returns the keys in the query of an address that is called. A value that only looks random may be a name, which the answer repeats. */
export function secretValuesIn(url: URL): string[] {
  return [...url.searchParams].flatMap(([name, value]) => {
    if (value === '') return knownKeys.test(name) ? [name] : [];
    return isSecretName(name) || knownKeys.test(value) ? [value] : [];
  });
}

function isSecretField(name: string, value: string): boolean {
  return value === '' ? looksLikeKey(name) : isSecretName(name) || looksLikeKey(value);
}

function looksLikeKey(text: string): boolean {
  return knownKeys.test(text) || looksRandom(text);
}

/** Letters and digits without a word's form. A UUID is mostly the name of a thing. */
function looksRandom(text: string): boolean {
  if (text.length < randomLength || uuid.test(text) || !/^[\w.~+/=-]+$/.test(text)) return false;
  return /[a-z]/i.test(text) && /\d/.test(text) && !/^[a-z]+([-_][a-z]+)*[-_]?\d*$/i.test(text);
}
