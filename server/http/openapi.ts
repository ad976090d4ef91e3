import { z } from 'zod';
import { errorBody } from '../../contract/errors.ts';
import type { Route } from '../../contract/route.ts';
import { routes } from '../../contract/routes.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 description of the contract, from the same table that the server answers by. */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Artel', version, license: { name: 'MIT' } },
    servers: [{ url: '/api' }],
    paths,
    components: {
      schemas: { Error: schemaOf(errorBody, 'output') },
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

function operation(name: string, route: Route): Json {
  return {
    operationId: name,
    summary: route.summary,
    tags: [route.tag],
    security: route.auth === 'public' ? [] : [{ accessToken: [] }],
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...(route.idempotent ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } }] : []),
    ],
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse(undefined).success,
        content: { 'application/json': { schema: schemaOf(route.body, 'input') } },
      },
    }),
    responses: {
      [route.status]: {
        description: 'Success',
        ...(route.status !== 204 && { content: contentOf(route) }),
      },
      default: { description: 'Failure', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
    },
  };
}

function contentOf({ produces, events, response }: Route): Json {
  if (produces === undefined) {
    return {
      'application/json': { schema: schemaOf(response, 'output') },
      ...(events && { 'text/event-stream': { schema: { type: 'string' } } }),
    };
  }
  return { [produces]: { schema: produces === 'application/zip' ? { type: 'string', format: 'binary' } : { type: 'string' } } };
}

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success,
    schema: schemaOf(field as z.ZodType, 'input'),
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
