import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from './settings.ts';

/** JSON lines on standard output. Tokens, keys and passwords are cut out, in headers, bodies and addresses alike. */
export function makeLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['authorization', 'password', 'apiKey', 'accessToken', 'refreshToken', 'token', 'secret'].flatMap((name) => [
        name,
        `*.${name}`,
        `*.*.${name}`,
        `*.*.*.${name}`,
      ]),
      censor: '[redacted]',
    },
    serializers: {
      req: (request: { method: string; url: string; ip?: string }) => ({
        method: request.method,
        url: withoutSecrets(request.url),
        address: request.ip,
      }),
      err: (error: unknown) => {
        const serialized = pino.stdSerializers.err(error as Error);
        // A failed query carries its parameters, which may be anybody's text.
        return typeof serialized === 'object' && serialized !== null ? withoutParameters(serialized) : serialized;
      },
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** An address as it may be logged: query values that are secrets are cut out. */
export function withoutSecrets(url: string): string {
  return url.replace(/([?&](?:token|access_token|refresh_token|key|password)=)[^&#]*/gi, '$1[redacted]');
}

function withoutParameters(error: pino.SerializedError): object {
  const { type, message, stack, code } = error as pino.SerializedError & { code?: unknown };
  const cut = (text: string | undefined) => text?.replace(/\nparams:[^\n]*/g, '');
  return { type, message: cut(message), code, stack: cut(stack) };
}
