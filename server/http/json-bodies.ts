import type { FastifyInstance } from 'fastify';
import { Fault } from './fault.ts';

/** More than anything in the contract needs, and far from where reading or writing it would overflow the stack. */
const deepest = 64;

/**
 * The API reads JSON and nothing else. An empty body counts as none, since clients send the content type on every call;
 * `__proto__` and `constructor.prototype` are refused, and so is what nests without end. Half an emoji, as it is left when
 * a text is cut by length, becomes a replacement character: the database takes no half ones.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string;
    if (text === '') return done(null, undefined);
    if (nestsDeeperThan(deepest, text)) return done(new Fault('bad_request'));
    parse(request, text, (error, value) => {
      if (error) done(new Fault('not_json', { cause: error }));
      else done(null, surrogate.test(text) ? wellFormed(value) : value);
    });
  });
}

const surrogate = /\\u[dD][89a-fA-F]/;

/** Whether brackets outside of texts nest deeper than `limit`. */
function nestsDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 92) at += 1;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return false;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]));
}
