import pino, { type DestinationStream, type Logger } from 'pino';
import { withEscapedHidden } from '../rules/text/hidden-characters.ts';
import { createScrubber } from './platform/egress/scrubber.ts';
import type { LogLevel } from './settings.ts';

/** JSON lines on standard output. Tokens, keys and passwords are removed from headers, bodies and addresses, `secrets` wherever they are. */
export function makeLogger(level: LogLevel, destination?: DestinationStream, secrets: readonly string[] = []): Logger {
  const scrubber = createScrubber(secrets);
  const options: pino.LoggerOptions = {
    level,
    base: null,
    // Names and texts from outside must not steer the terminal that shows the log. The JSON stays the same value.
    hooks: { streamWrite: (line) => withEscapedHidden(scrubber.text(line)) },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['authorization', 'password', 'apiKey', 'accessToken', 'refreshToken', 'token', 'ticket', 'secret'].flatMap((name) => [
        name,
        `*.${name}`,
        `*.*.${name}`,
        `*.*.*.${name}`,
      ]),
      censor: '[redacted]',
    },
    serializers: {
      req: (request: { method: string; url: string; address?: string }) => ({
        method: request.method,
        url: withoutSecrets(request.url),
        address: request.address,
      }),
      err: (error: unknown) => {
        const serialized = pino.stdSerializers.err(error as Error);
        // A failed query has its parameters, which may be private texts.
        return typeof serialized === 'object' && serialized !== null ? withoutParameters(serialized) : serialized;
      },
    },
  };
  return pino(options, destination ?? standardOutput());
}

/**
 * After its terminal (EIO) or the program behind its pipe (EPIPE) was closed a server logs nothing more, and ends in order. By itself the stream would try
 * the lost lines for ever.
 */
function standardOutput(): DestinationStream {
  const stream = pino.destination(1);
  const mute = () => {};
  return stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EIO' && error.code !== 'EPIPE') throw error;
    Object.assign(stream, { write: mute, end: mute, flushSync: mute, destroy: mute });
  });
}

/** Returns a URL for the log: without the token of a signed link. Of its query only numbers, ids and days stay, since any other value may be a secret or a private text. */
export function withoutSecrets(url: string): string {
  const [whole = '', ...query] = url.split(/[?#]/);
  const path = whole.replace(signedLink, '$1[redacted]');
  if (query.length === 0) return path;
  const told = query
    .join('&')
    .split('&')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return secretName.test(name) || !plainValue.test(value.join('=')) ? `${name}=[redacted]` : pair;
    });
  return `${path}?${told.join('&')}`;
}

/** The path of a signed link, of the page and of the API. */
const signedLink = /^(\/(?:api\/)?q\/)[^/]+/i;
const secretName = /token|ticket|key|pass|secret|auth|code/i;
const plainValue = /^(\d{1,15}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\d[\dT:.Z+-]{0,20})$/i;

function withoutParameters(error: pino.SerializedError): object {
  const { type, message, stack, code } = error as pino.SerializedError & { code?: unknown };
  const cut = (text: string | undefined) => text?.replace(/\nparams:[^\n]*/g, '');
  return { type, message: cut(message), code, stack: cut(stack) };
}
