import { randomUUID } from 'node:crypto';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { CreatedTrigger, Fire } from '../../../contract/trigger.ts';
import type { RunAccount } from '../../support/run-account.ts';
import { demand } from './demand.ts';

/** Makes a webhook that starts a run of this pipeline. Its functions return the id of the run. */
export async function makeWebhook(account: RunAccount, { id: pipelineId }: Pipeline, url: string) {
  const release = { pipelineId, slug: 'measured', title: 'Measured', task: 'Measure this.' };
  const team = demand(await account.call<{ id: string }>('POST', '/project/default/released-teams', release), 201);
  const settings = { kind: 'webhook', scheme: 'bearer' };
  const asked = { name: 'Measured', teamId: team.id, budget: { calls: 100_000 }, overlap: 'queue', settings };
  const { id, secret } = demand(await account.call<CreatedTrigger>('POST', '/project/default/triggers', asked), 201);
  /** The key of the last event, whose body is kept. */
  let last = '';
  return {
    /** Sends an event that was never sent. */
    async send(): Promise<string> {
      const key = randomUUID();
      last = `id:${key}`;
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}`, 'idempotency-key': key };
      const response = await fetch(`${url}/hooks/${id}`, { method: 'POST', body: '{}', headers });
      return runOf(demand({ status: response.status, body: (await response.json()) as Pick<Fire, 'run'> }, 202));
    },
    /** Sends the last event again. */
    async sendAgain(): Promise<string> {
      const path = `/project/default/triggers/${id}/fires/${encodeURIComponent(last)}/again`;
      const fire = demand(await account.call<Fire>('POST', path), 202);
      last = fire.key;
      return runOf(fire);
    },
  };
}

function runOf({ run }: Pick<Fire, 'run'>): string {
  if (!run) throw new Error('The event has started no run.');
  return run.id;
}
