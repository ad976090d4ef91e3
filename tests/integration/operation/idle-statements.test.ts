import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatedHook, HookEvent } from '../../../contract/hook.ts';
import { makeOpenFolder } from '../../support/database/make-open-folder.ts';
import { preload } from '../../support/preload.ts';
import { type SentStatement, sentStatements } from '../../support/record-statements.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { startHookReceiver } from '../../support/services/hook-receiver.ts';
import { startServer } from '../../support/start-server.ts';

const hook = preload('record-statements.ts');
let folder: Awaited<ReturnType<typeof makeOpenFolder>>;

beforeAll(async () => {
  folder = await makeOpenFolder();
});
afterAll(async () => {
  await folder?.remove();
});

/** A server with a database of its own, whose statements are recorded. `recoverMs`: how often it looks for work without a job. */
async function recordedServer(name: string, recoverMs: number) {
  const log = join(folder.path, `${name}.jsonl`);
  const server = await startServer({
    ownDatabase: true,
    env: {
      ...{ ARTEL_CLIENT: 'off', ARTEL_SIMULATED_ANSWER_MS: '10', ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' },
      ...{ NODE_OPTIONS: hook, STATEMENT_LOG: log, ARTEL_TEST_INTERVALS: JSON.stringify({ recoverMs, superviseMs: 500 }) },
    },
  });
  return { server, sent: () => sentStatements(log) };
}

/** Carries out runs to their ends. */
async function carryOut(ann: RunAccount, runs: number): Promise<void> {
  const pipeline = await ann.pipeline('assistant');
  const started = await Promise.all(Array.from({ length: runs }, (_, number) => ann.start(pipeline, `Task ${number}`)));
  for (const { id } of started) await ann.until(id, ({ status }) => status === 'completed');
}

/** The last statement of each look for work without a job. */
const isLook = ({ text }: SentStatement) => text.includes('INSERT INTO dead_letters');
const tables = /\b(hooks_out|hook_deliveries|triggers|fires|forge_\w+|telegram_\w+|push_devices)\b/;
const queues = /\b(delivery|trigger|forge)\b/;

/**
 * The change of a run stores deliveries too, and an account's storage is measured in all tables. The care of pg-boss for its tables, which comes by a
 * clock of its own, names each queue in turn.
 */
const ofMore = /^(WITH changed AS|INSERT INTO storage_uses|BEGIN; SET LOCAL lock_timeout|UPDATE artel_queue\.queue SET retained_count)/;

/** Whether a statement is one of hooks or triggers alone, and not one about all queues. */
function isOfHooksOrTriggers({ text, values }: SentStatement): boolean {
  const words = [text, ...values].join(' ');
  return !ofMore.test(text) && (tables.test(text) || (queues.test(words) && !/\bexecution\b/.test(words)));
}

const isRelay = ({ text }: SentStatement) => text.startsWith('SELECT job_id AS job FROM hook_deliveries');

test('K6.08 without a receiver, a chat and a trigger, ten runs and an idle server ask nothing about them', async () => {
  const { server, sent } = await recordedServer('idle', 500);
  try {
    const ann = await signUp(server.url);
    const before = sent().length;
    await carryOut(ann, 10);
    const ended = sent().length;
    // A relay comes 0.25 s after the end of a run, and what triggers have begun goes on after 0.5 s: six looks take 3 s.
    const looks = () => sent().slice(ended).filter(isLook).length;
    await expect.poll(looks).toBeGreaterThanOrEqual(6);
    const since = sent().slice(before);
    // The record is complete: it has what each run stores.
    expect(since.filter(({ text }) => text.includes('INSERT INTO hook_deliveries'))).toHaveLength(10);
    expect(since.filter(isOfHooksOrTriggers)).toEqual([]);
  } finally {
    await server.stop();
  }
});

test('K6.08 the end of a run wakes the relay where a receiver is told of it, and nowhere else', async () => {
  // This server looks for events that are left only once an hour.
  const { server, sent } = await recordedServer('told', 3_600_000);
  const receiver = await startHookReceiver();
  receiver.answer({ kind: 'status', status: 204 });
  try {
    const ann = await signUp(server.url);
    const receive = (events: HookEvent[]) => ann.call<CreatedHook>('POST', '/project/default/hooks', { url: receiver.url, events });
    await receive(['question.opened']);
    const before = sent().length;
    await carryOut(ann, 3);
    await receive(['run.ended']);
    const told = sent().length;
    await carryOut(ann, 1);
    await receiver.until(({ event }) => event.type === 'run.ended');
    expect(sent().slice(before, told).filter(isRelay)).toEqual([]);
    expect(sent().slice(told).filter(isRelay)).toHaveLength(1);
    expect(receiver.calls).toHaveLength(1);
  } finally {
    await receiver.close();
    await server.stop();
  }
});
