import { expect, test } from 'vitest';
import { preload } from '../../support/preload.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';
import { type Asked, startToolServer, textResult } from '../../support/tools/tool-server.ts';
import { callTools, resultsIn, withTools } from '../../support/tools/with-tools.ts';

const models = setUpModelServer();
const tools = setUp(startToolServer, ({ close }) => close());
const server = setUpServer(
  () => ({
    OPENAI_API_KEY: 'sk-server-wide',
    OPENAI_BASE_URL: models.url,
    ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on',
    NODE_OPTIONS: preload('tools/faster-limits.ts'),
  }),
  { ownProcess: 'Its limits end sooner.' },
);
const ann = setUpAccount(server);

const find = { name: 'find', description: 'Finds.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
/** A note of progress comes for longer than a call without one may take, which is five seconds here. */
const [notes, everyMs] = [18, 500];

/** Answers after so many notes of progress. */
function work({ id, params, response }: Asked): boolean {
  const progressToken = (params._meta as { progressToken?: unknown } | undefined)?.progressToken;
  const send = (message: object) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let sent = 0;
  const timer = setInterval(() => {
    sent += 1;
    send({ method: 'notifications/progress', params: { progressToken, progress: sent } });
    if (sent < notes) return;
    clearInterval(timer);
    send({ id, result: textResult('Found at last.') });
    response.end();
  }, everyMs);
  response.on('close', () => clearInterval(timer));
  return true;
}

test('G3.32 a call of a tool that goes on for longer than a minute, with progress, brings its result to the step', async () => {
  const person = withTools(ann);
  tools.list([find]);
  const { tools: known } = await person.connect(tools.url);
  await person.tick('developer', known);
  for (const tool of known) await person.setPolicy(tool, 'always');
  tools.lie((asked) => asked.method === 'tools/call' && work(asked));
  callTools(models, [['tickets_find', {}]]);
  const { id } = await ann.start(await ann.pipeline('developer'), 'Look for tickets');
  expect(await person.ended(id)).toMatchObject({ status: 'completed' });
  expect(resultsIn(models.calls.at(-1) as (typeof models.calls)[number]).join()).toContain('Found at last.');
});
