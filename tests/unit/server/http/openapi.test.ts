import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { scopeOf } from '../../../../contract/needs.ts';
import { exampleOf } from '../../../../contract/operations/example-of.ts';
import { operations as documented } from '../../../../contract/operations/operations.ts';
import { sampleOf } from '../../../../contract/operations/sample-of.ts';
import type { Route } from '../../../../contract/route.ts';
import { routes } from '../../../../contract/routes.ts';
import { curlCommand } from '../../../../server/http/openapi/curl-command.ts';
import type { Json } from '../../../../server/http/openapi/named-schemas.ts';
import { openApiDocument } from '../../../../server/http/openapi/openapi-document.ts';

const document = openApiDocument('1.2.3');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** The keywords of JSON Schema 2020-12, the dialect of OpenAPI 3.1, that the contract's schemas use, and their types. */
const keywords: Record<string, (value: unknown) => boolean> = {
  type: (value) =>
    [value].flat().every((one) => ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'].includes(String(one))),
  properties: (value) => areSchemas(Object.values(value as Json)),
  required: (value) => Array.isArray(value) && new Set(value).size === value.length && value.every((name) => typeof name === 'string'),
  additionalProperties: (value) => typeof value === 'boolean' || isSchema(value),
  propertyNames: isSchema,
  items: isSchema,
  prefixItems: areSchemas,
  anyOf: (value) => areSchemas(value) && (value as unknown[]).length > 0,
  oneOf: (value) => areSchemas(value) && (value as unknown[]).length > 0,
  allOf: (value) => areSchemas(value) && (value as unknown[]).length > 0,
  not: isSchema,
  enum: Array.isArray,
  const: () => true,
  default: () => true,
  format: (value) => typeof value === 'string',
  pattern: (value) => typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp,
  ...Object.fromEntries(
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties'].map(
      (name) => [name, (value: unknown) => typeof value === 'number'],
    ),
  ),
  $ref: (value) => typeof value === 'string' && resolve(value) !== undefined,
};

function isSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, inner]) => {
    if (keywords[name]?.(inner)) return true;
    throw new Error(`No JSON Schema: ${name} in ${JSON.stringify(value).slice(0, 300)}`);
  });
}

function areSchemas(value: unknown): boolean {
  return Array.isArray(value) && value.every(isSchema);
}

function resolve(reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Json | undefined)?.[name], document);
}

const binaryTypes = new Set(['application/zip', 'application/x-git-bundle']);

test('R10.01 the OpenAPI document describes every route of the contract, once, with what it takes and answers', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info).toMatchObject({ title: 'Artel', version: '1.2.3', description: expect.stringContaining('WebSockets') });
  expect(operations.map(({ operation }) => operation.operationId).toSorted()).toEqual(Object.keys(routes).toSorted());
  for (const { path, method, operation } of operations) {
    const route: Route = routes[operation.operationId];
    expect([path, method]).toEqual([route.path, route.method.toLowerCase()]);
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect([path, inPath.map(({ name }) => name).toSorted()]).toEqual([
      path,
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted(),
    ]);
    expect(inPath.every(({ required }) => required)).toBe(true);
    expect(new Set(operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).size).toBe(operation.parameters.length);
    expect(operation.responses).toHaveProperty(String(route.status));
    expect('requestBody' in operation).toBe(route.body !== undefined);
  }
});

test('R10.01 every schema of the OpenAPI document is a schema, and every reference leads somewhere', () => {
  for (const [name, schema] of Object.entries(document.components.schemas)) expect([name, isSchema(schema)]).toEqual([name, true]);
  for (const { operation } of operations) {
    for (const { schema } of operation.parameters) expect(isSchema(schema)).toBe(true);
    const contents = [operation.requestBody?.content, ...Object.values(operation.responses).map(({ content }) => content)];
    for (const content of contents) for (const { schema } of Object.values(content ?? {})) expect(isSchema(schema)).toBe(true);
    for (const [status, { description, headers }] of Object.entries(operation.responses)) {
      expect(status).toMatch(/^[2-5]\d\d$/);
      expect(description).not.toBe('');
      for (const header of Object.values(headers ?? {})) expect(resolve((header as { $ref: string }).$ref)).toBeDefined();
    }
  }
});

test('R19.01 each call says how it may fail: signing in, rights, size, waiting', () => {
  const statuses = (name: keyof typeof routes) =>
    Object.keys(operations.find(({ operation }) => operation.operationId === name)?.operation.responses ?? {}).filter(
      (status) => status >= '400',
    );
  expect(statuses('auth.config')).toEqual(['429', '500', '503']);
  expect(statuses('auth.login')).toEqual(['400', '401', '413', '415', '429', '500', '503', '507']);
  expect(statuses('lead.get')).toEqual(['400', '401', '403', '404', '429', '500', '503']);
  expect(statuses('project.patchCanvas')).toEqual(['400', '401', '403', '404', '409', '413', '415', '422', '429', '500', '503', '507']);
  expect(statuses('auth.register')).toEqual(['400', '403', '409', '413', '415', '422', '429', '500', '503', '507']);
  for (const { operation } of operations) {
    const { needs }: Route = routes[operation.operationId];
    const scope = scopeOf(needs);
    expect([operation.operationId, operation.security]).toEqual([
      operation.operationId,
      operation['x-caller'] === 'public' ? [] : [{ accessToken: [] }, ...(scope ? [{ apiKey: [scope] }] : [])],
    ]);
    if (operation.security.length > 0) expect(operation.responses).toHaveProperty('401');
  }
});

test('R10.01 every operation has a summary, a description of one to three sentences, and a request that can be copied', () => {
  for (const { operation } of operations) {
    const { operationId, summary, description } = operation;
    expect([operationId, summary.length > 0, summary.length <= 60, summary.endsWith('.')]).toEqual([operationId, true, true, false]);
    const sentences = description.split(/(?<=\.) (?=[A-Z`])/);
    expect([operationId, sentences.length >= 1, sentences.length <= 3, description.endsWith('.')]).toEqual([operationId, true, true, true]);
    for (const sentence of sentences) expect([sentence, sentence.split(/\s+/).length <= 25]).toEqual([sentence, true]);
    const [sample] = operation['x-codeSamples'];
    expect(sample?.source).toContain('"$ARTEL/api/');
    expect(sample?.source).not.toMatch(/[{]\w+[}]|undefined/);
  }
  expect(new Set(operations.map(({ operation }) => operation.description)).size).toBe(operations.length);
});

test('R10.01 every example is valid by the schemas of its route, and none is missing', () => {
  for (const { path, operation } of operations) {
    const name = operation.operationId;
    const route: Route = routes[name];
    const { params, query, body, response } = documented[name].example;
    const problems = [
      ...problemsOf(route.params?.strict(), params, 'params'),
      ...problemsOf(route.query, route.query ? (query ?? {}) : query, 'query'),
      ...problemsOf(route.body, body, 'body'),
      ...(binaryTypes.has(route.produces ?? '') ? [] : problemsOf(route.response, response, 'response')),
    ];
    expect([name, problems]).toEqual([name, []]);
    if (response !== undefined) expect([name, route.response.parse(response)]).toEqual([name, response]);
    for (const parameter of operation.parameters.filter((one) => one.in === 'path'))
      expect([path, parameter.name, 'example' in parameter]).toEqual([path, parameter.name, true]);
    if (route.body && !route.takes) expect([name, Object.values(operation.requestBody?.content ?? {})[0]?.example]).toEqual([name, body]);
    const shown = Object.values(operation.responses[route.status]?.content ?? {})[0];
    if (shown && !binaryTypes.has(route.produces ?? '')) expect([name, shown.example]).toEqual([name, response]);
  }
});

test('R10.01 a sample has what is given, else the values of the record that it extends, of its name and of its schema', () => {
  const card = z.object({ name: z.string(), note: z.string().nullable(), tags: z.array(z.string()).optional() });
  const source = { isSent: false, fields: { owner: 'Ann', size: 'large' }, records: [[card, { name: 'Plan', note: null }]] as const };
  const schema = card.extend({ owner: z.string(), size: z.number().min(3), isOpen: z.boolean().default(true), parts: z.array(card) });
  const whole = { name: 'Plan', note: null, owner: 'Ann', size: 3, isOpen: true, parts: [{ name: 'Plan', note: null }] };
  expect(sampleOf(schema, undefined, source)).toEqual(whole);
  expect(sampleOf(schema, { note: 'Late', parts: [{}, { tags: ['a'] }] }, source)).toEqual({
    ...whole,
    note: 'Late',
    parts: [
      { name: 'Plan', note: null },
      { name: 'Plan', note: null, tags: ['a'] },
    ],
  });
  const { isOpen: _, ...sent } = whole;
  expect(sampleOf(schema, undefined, { ...source, isSent: true })).toEqual(sent);
  const kinds = z.union([z.object({ kind: z.literal('one'), name: z.string() }), z.object({ kind: z.literal('two') })]);
  expect(sampleOf(kinds, { kind: 'two' }, source)).toEqual({ kind: 'two' });
});

test('R10.01 an example asks for what its path names, and its answer has what the request changes', () => {
  expect(exampleOf('question.ofExecution').params).toEqual(exampleOf('execution.get').params);
  expect(exampleOf('project.get').params).not.toEqual(exampleOf('execution.get').params);
  expect(exampleOf('project.update', { body: { name: 'Web shop' } }).response).toEqual({
    ...(exampleOf('project.get').response as Json),
    name: 'Web shop',
  });
  expect(exampleOf('agent.setStatus', { body: { status: 'busy' } }).response).toMatchObject({ status: 2 });
});

function problemsOf(schema: z.ZodType | undefined, value: unknown, place: string): string[] {
  if (schema === undefined) return value === undefined || value === null ? [] : [`${place}: the route takes none`];
  if (schema instanceof z.ZodObject && value !== undefined) {
    const unknown = Object.keys(value as object).filter((key) => !(key in schema.shape));
    if (unknown.length > 0) return unknown.map((key) => `${place}: ${key} is unknown`);
  }
  return schema.safeParse(value).error?.issues.map(({ path, message }) => `${place}.${path.join('.')}: ${message}`) ?? [];
}

test('R10.01 an example request is a command of a shell', () => {
  const route: Route = { ...routes['thought.publish'] };
  expect(curlCommand(route, { params: {}, query: { q: 'a b' }, body: { content: "It's done" } })).toBe(
    [
      'curl -X POST "$ARTEL/api/agentthought/publish?q=a+b"',
      '-H "Authorization: Bearer $TOKEN"',
      "-H 'Content-Type: application/json'",
      `-d '{"content":"It'\\''s done"}'`,
    ].join(' \\\n  '),
  );
  expect(curlCommand(routes['auth.config'], {})).toBe('curl "$ARTEL/api/auth/config"');
});

test('the client does not import the texts of the API document', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((name) => readFileSync(`src/${name}`, 'utf8').includes('contract/operations'))).toEqual([]);
});

test('R10.01 an operation for staff says so', () => {
  for (const { operation } of operations)
    expect([operation.operationId, operation.description.includes('Staff only.')]).toEqual([
      operation.operationId,
      operation['x-caller'] === 'staff',
    ]);
});
