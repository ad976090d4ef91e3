import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { signUp } from '../../support/run-account.ts';
import { startModelServer } from '../../support/services/model-server.ts';
import { startTraceCollector } from '../../support/services/trace-collector.ts';
import { startServer } from '../../support/start-server.ts';
import { timesSlower } from '../../support/times-slower.ts';

const leftovers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const remove of leftovers.splice(0).reverse()) await remove();
});

async function serve(env: Record<string, string>) {
  const models = await startModelServer();
  leftovers.push(models.close);
  const server = await startServer({
    env: { ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url, OPENAI_API_KEY: 'sk-of-the-operator', ...env },
  });
  leftovers.push(server.stop);
  return { models, server };
}

test('R10.01 requests, steps and calls of models are traced where a collector is named, without what people wrote', async () => {
  const collector = await startTraceCollector();
  leftovers.push(collector.close);
  const { models, server } = await serve({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
  });
  const ann = await signUp(server.url);
  models.answer((call) => (call.number === 2 ? { kind: 'status', status: 401 } : { kind: 'text', text: 'An unmistakable answer' }));
  const run = await ann.start(await ann.pipeline('assistant', 'qa'), 'An unmistakable task');
  const ended = await ann.until(run.id, ({ status }) => status === 'failed');
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const parent = 'b7ad6b7169203331';
  const call = await fetch(`${server.url}/api/project/default?name=unmistakable`, {
    headers: { authorization: `Bearer ${ann.accessToken}`, traceparent: `00-${traceId}-${parent}-01` },
  });
  await server.kill('SIGTERM');

  const spans = collector.spans();
  expect(spans.find((span) => span.traceId === traceId)).toMatchObject({
    name: 'GET /api/project/{id}',
    parentSpanId: parent,
    attributes: {
      'http.route': '/api/project/{id}',
      'http.response.status_code': 200,
      'artel.request.id': call.headers.get('x-request-id'),
    },
    resource: { 'service.name': 'artel', 'deployment.environment': 'test' },
  });
  const ofRun = spans.filter((span) => span.traceId === run.id.replaceAll('-', ''));
  const steps = ended.steps.map((step) =>
    ofRun.find(({ name, attributes }) => name === 'step' && attributes['artel.step.id'] === step.stepId),
  );
  expect(steps).toMatchObject([
    { parentSpanId: null, failed: false, attributes: { 'artel.step.outcome': 'completed', 'artel.execution.id': run.id } },
    { parentSpanId: null, failed: true, attributes: { 'artel.step.outcome': 'failed', 'error.type': 'model_unauthorized' } },
  ]);
  expect(ofRun.filter(({ name }) => name.startsWith('chat '))).toMatchObject([
    { parentSpanId: steps[0]?.spanId, failed: false, attributes: { 'gen_ai.provider.name': 'openai', 'gen_ai.usage.input_tokens': 20 } },
    { parentSpanId: steps[1]?.spanId, failed: true, attributes: { 'error.type': 'model_unauthorized' } },
  ]);
  expect(spans.filter(({ name }) => name.includes('/live') || name.includes('/ready'))).toEqual([]);
  const posted = collector.posted.join('\n');
  for (const secret of ['unmistakable', ann.accessToken, ann.email, 'sk-of-the-operator']) expect(posted).not.toContain(secret);
});

test('R10.01 an unreachable or silent collector does no harm and is logged once', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  leftovers.push(async () => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const isHarmless = async (url: string) => {
    const { server } = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    const ann = await signUp(server.url);
    const run = await ann.start(await ann.pipeline('assistant'), 'Go on');
    await ann.until(run.id, ({ status }) => status === 'completed');
    await expect.poll(() => server.logs()).toContain('Traces are not taken');
    expect((await ann.call('GET', '/project')).status).toBe(200);
    expect(server.logs().match(/Traces are not taken/g)).toHaveLength(1);
    const asked = performance.now();
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(performance.now() - asked).toBeLessThan(10_000 * timesSlower());
  };
  // Each waits for the limit of a connection: both wait at the same time.
  await Promise.all(['http://127.0.0.1:9', `http://127.0.0.1:${port}`].map(isHarmless));
});

test('R10.01 the library for traces is loaded only where a collector is named', () => {
  const root = join(import.meta.dirname, '../../../server');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const importing = (what: RegExp) => files.filter((file) => what.test(readFileSync(join(root, file), 'utf8'))).sort();
  expect(importing(/^import (?!type ).*from '@opentelemetry/m)).toEqual(['platform/traces/otlp-traces.ts']);
  expect(importing(/^import (?!type ).*otlp-traces/m)).toEqual([]);
});
