import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type BodyLimits, usualBody } from '../../../contract/body-limits.ts';
import type { Route } from '../../../contract/route.ts';
import { ApiError } from '../api-error.ts';
import { holdsLargeBody } from './body-admission.ts';
import { readForm } from './form-parts.ts';
import { parseJson } from './parse-json.ts';
import { scanJson } from './scan-json.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The length of the request's body; 0 without one. */
    bodyBytes: number;
  }
  interface FastifyContextConfig {
    /** The limits of this route's body; `usualBody` unless set. */
    body?: BodyLimits;
    /** The body is bytes of any content type, and not JSON. */
    takesBytes?: true;
    /** The body may be a form: what it stands for. */
    form?: NonNullable<Route['form']>;
  }
}

/**
 * Makes the API read only JSON, and bytes or forms on the routes that take them. An empty body counts as none, because clients send the content type on every call. Depth and
 * number of values are checked before parsing; `__proto__` and `constructor.prototype` are refused. So is what is not UTF-8: its characters
 * would be stored as question marks. Only a few large bodies are parsed and handled at the same time.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('bodyBytes', 0);
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (!request.routeOptions.config.takesBytes) throw new ApiError('unsupported_media_type');
    request.bodyBytes = body.length;
    return body;
  });
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    request.bodyBytes = body.length;
    const { form, takesBytes } = request.routeOptions.config;
    if (takesBytes) return body;
    if (form === undefined) throw new ApiError('unsupported_media_type');
    if (holdsLargeBody(body.length)) await request.bodyLease?.takeTurn();
    return form(await readForm(body as Buffer<ArrayBuffer>, request.headers['content-type'] ?? ''));
  });
  const parseText = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    request.bodyBytes = body.length;
    if (request.routeOptions.config.takesBytes) return body;
    if (namesOtherCharset(request.headers['content-type'])) throw new ApiError('unsupported_media_type');
    const bytes = body.subarray(hasByteOrderMark(body) ? 3 : 0);
    if (bytes.length === 0) return undefined;
    if (holdsLargeBody(bytes.length)) await request.bodyLease?.takeTurn();
    if (!isUtf8(bytes)) throw new ApiError('not_utf8');
    const scan = await scanJson(bytes, request.routeOptions.config.body ?? usualBody);
    if (scan.problem !== undefined) throw new ApiError(codeOfProblem[scan.problem]);
    const parse = (text: string): unknown => {
      let failed: Error | null = null;
      let parsed: unknown;
      parseText(request, text, (error, value) => {
        failed = error;
        parsed = value;
      });
      if (failed !== null) throw new ApiError('not_json', { cause: failed });
      return parsed;
    };
    return parseJson(bytes, scan.long, parse);
  });
}

const codeOfProblem = { too_deep: 'bad_request', too_complex: 'too_complex', malformed: 'not_json' } as const;

function hasByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** JSON is UTF-8 (RFC 8259). ASCII is a part of it. */
const charsets = new Set(['utf-8', 'utf8', 'us-ascii']);

function namesOtherCharset(type = ''): boolean {
  return type.split(';').some((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim().toLowerCase() === 'charset' && !charsets.has(value.trim().replaceAll('"', '').toLowerCase());
  });
}
