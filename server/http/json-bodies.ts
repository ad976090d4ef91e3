import type { FastifyInstance } from 'fastify';
import { Fault } from './fault.ts';

/**
 * The API reads JSON and nothing else. An empty body counts as none, since clients send the content type on every call;
 * `__proto__` and `constructor.prototype` are refused.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    parse(request, body as string, (error, value) => (error ? done(new Fault('not_json', { cause: error })) : done(null, value)));
  });
}
