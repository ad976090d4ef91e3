import { z } from 'zod';
import { usualBody } from '../../../contract/body-limits.ts';
import { errorBody } from '../../../contract/errors.ts';
import { failuresOf } from '../../../contract/failures.ts';
import { scopeOf } from '../../../contract/needs.ts';
import type { OperationExample } from '../../../contract/operations/example-of.ts';
import { operations } from '../../../contract/operations/operations.ts';
import { clientMessage, executionUpdate, serverMessage } from '../../../contract/realtime.ts';
import type { Route } from '../../../contract/route.ts';
import { type RouteName, routes } from '../../../contract/routes.ts';
import { codes } from '../api-error.ts';
import { translate } from '../language.ts';
import { curlCommand } from './curl-command.ts';
import { type Json, NamedSchemas } from './named-schemas.ts';
import { sections, tags } from './texts.ts';

type Operation = {
  operationId: RouteName;
  summary: string;
  description: string;
  tags: string[];
  /** The access right of a call, for which OpenAPI has no field. */
  'x-caller': Route['auth'];
  /** The example as a command, in the form that viewers of OpenAPI documents show. */
  'x-codeSamples': { lang: string; label: string; source: string }[];
  security: Json[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response>;
};
type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Json;
  example?: unknown;
};
type Response = { description: string; headers?: Json; content?: Content };
type Content = Record<string, { schema: Json; example?: unknown }>;

type OpenApiDocument = {
  openapi: string;
  info: Json;
  servers: Json[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; headers: Json; securitySchemes: Json };
};

/** Returns the OpenAPI 3.1 description of the contract, from the route table that the server mounts. */
export function openApiDocument(version: string): OpenApiDocument {
  const schemas = new NamedSchemas();
  schemas.write('Error', errorBody, 'output');
  const paths: OpenApiDocument['paths'] = {};
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route, schemas) };
  }
  schemas.write('ServerMessage', serverMessage, 'output');
  schemas.write('ClientMessage', clientMessage, 'input');
  schemas.write('ExecutionUpdate', executionUpdate, 'output');
  const used = new Set(Object.values(routes).map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Artel',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description: sections.map(({ title, paragraphs }) => [`## ${title}`, ...paragraphs].join('\n\n')).join('\n\n'),
    },
    servers: [{ url: '/api' }],
    tags: [...used].map((name) => ({ name, description: tags[name] ?? '' })),
    paths,
    components: {
      schemas: schemas.written,
      headers: {
        'X-Request-Id': { description: 'Names the call in the log of the server.', schema: { type: 'string', format: 'uuid' } },
        'X-Total-Count': { description: 'How many there are in all.', schema: { type: 'integer', minimum: 0 } },
        'Retry-After': { description: 'Seconds to wait before another try.', schema: { type: 'integer', minimum: 1 } },
      },
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'art_ and 40 characters' },
      },
    },
  };
}

function operation(name: RouteName, route: Route, schemas: NamedSchemas): Operation {
  const { summary, description, example } = operations[name];
  const scope = scopeOf(route.needs);
  return {
    operationId: name,
    summary,
    description,
    tags: [route.tag],
    'x-caller': route.auth,
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlCommand(route, example) }],
    security: route.auth === 'public' ? [] : [{ accessToken: [] }, ...(scope ? [{ apiKey: [scope] }] : [])],
    parameters: [
      ...parametersOf(route.params, 'path', schemas, example.params),
      ...parametersOf(route.query, 'query', schemas, example.query),
      ...(route.idempotent ? [idempotencyKey] : []),
    ],
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse(undefined).success,
        content: route.takes
          ? { [route.takes]: { schema: { type: 'string', format: 'binary' } } }
          : {
              'application/json': { schema: schemas.of(route.body, 'input'), ...exampleOf(example, 'body') },
              ...(route.form && { 'multipart/form-data': { schema: { type: 'object' } } }),
            },
      },
    }),
    responses: { [route.status]: success(route, schemas, example), ...failures(name, route) },
  };
}

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeated call with the same key writes nothing and gets the first answer again.',
  schema: { type: 'string', maxLength: 255 },
};

function success(route: Route, schemas: NamedSchemas, example: OperationExample): Response {
  const headers = headerRefs(['X-Request-Id', ...(route.response instanceof z.ZodArray ? ['X-Total-Count'] : [])]);
  const empty = route.response instanceof z.ZodUndefined;
  return {
    description: empty ? 'Done; the answer has no body.' : 'Done.',
    headers,
    ...(!empty && { content: contentOf(route, schemas, example) }),
  };
}

function contentOf({ produces, events, response }: Route, schemas: NamedSchemas, example: OperationExample): Content {
  const shown = exampleOf(example, 'response');
  if (produces !== undefined)
    return {
      [produces]: {
        schema: { type: 'string', ...(produces !== 'text/plain' && produces !== 'text/x-patch' && { format: 'binary' }) },
        ...shown,
      },
    };
  return {
    'application/json': { schema: schemas.of(response, 'output'), ...shown },
    ...(events && { 'text/event-stream': { schema: { type: 'string' } } }),
  };
}

/** Groups the failures of a route by status, with their codes and sentences. */
function failures(name: RouteName, route: Route): Record<string, Response> {
  const byStatus = Map.groupBy(failuresOf(name, route), (code) => codes[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes
          .map(
            (code) =>
              `\`${code}\`: ${translate('en', code, { ...placeholders, limit: `${(route.bodyLimits ?? usualBody).bytes / mebibyte} MiB` })}`,
          )
          .join('\n\n'),
        headers: headerRefs(['X-Request-Id', ...(status === 429 || status === 503 ? ['Retry-After'] : [])]),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

const placeholders = { status: '…', seconds: '…', reason: 'The reason is in `details.reason`.' };
const mebibyte = 1024 * 1024;

function headerRefs(names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function exampleOf(example: OperationExample, part: 'body' | 'response'): { example?: unknown } {
  return part in example ? { example: example[part] } : {};
}

function parametersOf(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query',
  schemas: NamedSchemas,
  examples: Readonly<Record<string, unknown>> = {},
): Parameter[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success,
    schema: schemas.of(field as z.ZodType, 'input'),
    ...(name in examples && { example: examples[name] }),
  }));
}
