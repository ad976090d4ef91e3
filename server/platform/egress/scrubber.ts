/** A shorter text is no secret, and may be a part of ordinary words (UTF-16 units). */
const shortestSecret = 8;
/** What stands in the place of a secret. */
const mask = '***';

/** Removes the secrets that were sent to another side from everything that it says. */
export type Scrubber = {
  /** Returns a whole text without them. */
  text: (text: string) => string;
  /** Whether one is in these bytes. */
  isIn: (bytes: Uint8Array) => boolean;
  /** Returns a parsed value without them, in its keys as well. */
  value: <T>(value: T) => T;
  /** Scrubs a text that comes in pieces: a secret may be split over them. */
  texts: () => Pieces<string>;
  /** The same for bytes. `keepsLength`: the mask is as long as the secret, since lengths are part of the format. */
  bytes: (options?: { keepsLength?: boolean }) => Pieces<Uint8Array>;
};

/** Returns what is known of each piece, and at the end the rest: the last characters may begin a secret. */
export type Pieces<T> = { push: (piece: T) => T; end: () => T };

/**
 * Makes the scrubber of secrets, each in the forms in which servers repeat what they were sent: as it is, percent-encoded, escaped for JSON and
 * HTML, in base64 beside other text, and in hexadecimal digits.
 * @example createScrubber(['sk-12345678']).text('The key sk-12345678 is wrong.') // 'The key *** is wrong.'
 */
export function createScrubber(secrets: Iterable<string>): Scrubber {
  const forms = formsOf(secrets);
  if (forms.length === 0) return untouched;
  const ofBytes = forms.map((form) => Buffer.from(form).toString('latin1'));
  const text = (given: string) => masked(given, forms, false);
  return {
    text,
    isIn: (bytes) => ofBytes.some((form) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(form, 0, 'latin1')),
    value: (value) => deepScrubbed(value, text) as typeof value,
    texts: () => {
      const pieces = splitSafe(forms, false);
      return { push: pieces.push, end: pieces.end };
    },
    bytes: ({ keepsLength = false } = {}) => {
      const pieces = splitSafe(ofBytes, keepsLength);
      const encoded = (latin: string) => Buffer.from(latin, 'latin1');
      return {
        push: (piece) => encoded(pieces.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1'))),
        end: () => encoded(pieces.end()),
      };
    },
  };
}

const noPieces = { push: <T>(piece: T) => piece };
const untouched: Scrubber = {
  text: (text) => text,
  isIn: () => false,
  value: (value) => value,
  texts: () => ({ ...noPieces, end: () => '' }),
  bytes: () => ({ ...noPieces, end: () => new Uint8Array() }),
};

/** All forms of all secrets, the longest first: a form may be a part of another one. */
function formsOf(secrets: Iterable<string>): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue;
    for (const form of [secret, ...percentForms(secret), ...escapedForms(secret), ...encodedForms(secret)])
      if (form.length >= shortestSecret) forms.add(form);
  }
  return [...forms].toSorted((one, other) => other.length - one.length);
}

function percentForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const strict = encoded.replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  const all = [encoded, strict, strict.replaceAll('%20', '+')];
  return [...all, ...all.map((one) => one.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

function escapedForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const unicode = (text: string, which: RegExp) => text.replace(which, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    ...[json, json.replaceAll('/', '\\/'), unicode(json, /[&<>]/g), unicode(json, /[^\0-\x7f]/g)],
    ...[html, html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'), html.replaceAll('"', '&#34;').replaceAll("'", '&#x27;')],
  ];
}

/** In base64 the characters depend on what stands before. Those at both ends belong to other text too, and are not looked for. */
function encodedForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const based = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const isEven = (before + bytes.length) % 3 === 0;
    return text.slice([0, 2, 3][before], isEven ? undefined : -1);
  });
  return [hex, hex.toUpperCase(), ...based, ...based.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
}

function masked(text: string, forms: readonly string[], keepsLength: boolean): string {
  return forms.reduce(
    (left, form) => (left.includes(form) ? left.replaceAll(form, keepsLength ? '*'.repeat(form.length) : mask) : left),
    text,
  );
}

/** Holds back the end of the text so far while it may be the beginning of a form. */
function splitSafe(forms: readonly string[], keepsLength: boolean): Pieces<string> {
  let held = '';
  return {
    push(piece) {
      const text = masked(held + piece, forms, keepsLength);
      const from = Math.min(...forms.map((form) => beginningAt(text, form)));
      held = text.slice(from);
      return text.slice(0, from);
    },
    end() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

/** Returns where the end of the text is the beginning of the form; the length of the text for nowhere. */
function beginningAt(text: string, form: string): number {
  const first = form.charAt(0);
  for (let at = text.indexOf(first, Math.max(0, text.length - form.length + 1)); at >= 0; at = text.indexOf(first, at + 1)) {
    if (form.startsWith(text.slice(at))) return at;
  }
  return text.length;
}

function deepScrubbed(value: unknown, scrub: (text: string) => string): unknown {
  if (typeof value === 'string') return scrub(value);
  if (Array.isArray(value)) return value.map((one) => deepScrubbed(one, scrub));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [scrub(key), deepScrubbed(one, scrub)]));
}
