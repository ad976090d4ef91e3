import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { DBOS } from '@dbos-inc/dbos-sdk';
import type { Database } from '../../../server/platform/database/database.ts';
import { type Block, keepInFlight } from './keep-in-flight.ts';

/** The work of a step: a wait, or one call of a model server. */
export type StepWork = { stepMs: number } | { modelUrl: string; model: string };

export type BareEngine = {
  run: (load: { inFlight: number; seconds: number; work: StepWork }) => Promise<Block>;
  stop: () => Promise<void>;
};

/** Plain DBOS: workflows of five steps, each of which returns a short text. */
export async function startBareEngine({ pool, connectionString }: Pick<Database, 'pool' | 'connectionString'>): Promise<BareEngine> {
  const workflow = DBOS.registerWorkflow(
    async (work: StepWork) => {
      for (let step = 1; step <= 5; step += 1) await DBOS.runStep(() => answerOf(work), { name: `step ${step}` });
    },
    { name: 'five steps' },
  );
  const quiet = { debug() {}, info() {}, warn() {}, error: (entry: unknown) => console.error(String(entry)) };
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: connectionString,
    systemDatabasePool: pool,
    systemDatabaseSchemaName: 'durable',
    logger: quiet,
  });
  await DBOS.launch();
  return {
    run: ({ inFlight, seconds, work }) =>
      keepInFlight(inFlight, seconds, async () => {
        const handle = await DBOS.startWorkflow(workflow, { workflowID: randomUUID() })(work);
        await handle.getResult();
      }),
    stop: () => DBOS.shutdown(),
  };
}

async function answerOf(work: StepWork): Promise<string> {
  if ('modelUrl' in work) return askModel(work.modelUrl, work.model);
  if (work.stepMs > 0) await wait(work.stepMs);
  return 'A short answer.';
}

const agent = new http.Agent({ keepAlive: true });

/** Makes one streamed call of chat completions with the least that such a call needs, and returns the text. */
function askModel(url: string, model: string): Promise<string> {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Measure this.' }] });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), authorization: 'Bearer sk-bench' };
  return new Promise((resolve, reject) => {
    const request = http.request(`${url}/chat/completions`, { method: 'POST', agent, headers }, (response) => {
      let stream = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        stream += text;
      });
      response.once('error', reject);
      response.once('end', () => resolve(textOf(stream)));
    });
    request.once('error', reject);
    request.end(body);
  });
}

type Chunk = { choices: { delta: { content?: string } }[] };

function textOf(stream: string): string {
  const data = stream.split('\n\n').flatMap((event) => (event.startsWith('data: {') ? [event.slice('data: '.length)] : []));
  return data.map((json) => (JSON.parse(json) as Chunk).choices[0]?.delta.content ?? '').join('');
}
