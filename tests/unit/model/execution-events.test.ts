import fc from 'fast-check';
import { produce } from 'immer';
import { expect, test } from 'vitest';
import type { ExecutionDetails, StepRun } from '../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import { consoleLines } from '../../../src/model/console/console-lines.ts';
import { applyExecutionEvent, showExecution } from '../../../src/model/run/apply-execution-event.ts';
import { dialogMessageOf } from '../../../src/model/run/plan/run-payloads.ts';
import { emptyRun, type RunState } from '../../../src/model/workspace-state.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { chainDocument, team } from '../../support/engine/samples.ts';

/** The log of a complete run, with a message added in the middle, and the run as it began. */
async function recorded(): Promise<{ began: ExecutionDetails; events: ExecutionEvent[]; ended: ExecutionDetails }> {
  const server = new FakeServer(chainDocument());
  const backend = server.backend(() => 'tab');
  const pipeline = await backend.call('pipeline.create', {
    body: { name: 'P', projectId: 'default', steps: team.slice(0, 3).map((agent) => ({ name: agent.title, agentId: agent.id })) },
    idempotencyKey: 'p',
  });
  if (!pipeline.ok) throw new Error('No pipeline');
  const started = await backend.call('execution.start', {
    body: { pipelineId: pipeline.value.id, initialTask: 'Build', inputData: {} },
    idempotencyKey: 's',
  });
  if (!started.ok) throw new Error('No execution');
  const { id } = started.value;
  const details = async () => {
    const read = await backend.call('execution.details', { params: { id } });
    if (!read.ok) throw new Error('No details');
    return structuredClone(read.value);
  };
  const began = await details();
  server.beginStep();
  const dialog = { id: 'd', type: 'dialog' as const, title: 'Dialog', x: 0, y: 0 };
  const message = dialogMessageOf({ nodes: {}, connections: {} }, dialog, 'In blue', 0);
  await backend.call('execution.addContext', {
    params: { id },
    body: {
      ...{ type: 'user_input', source: 'dialog', content: 'In blue', context: message },
      ...{ dialogNodeId: null, dialogNodeTitle: null, projectId: '', timestamp: '' },
    },
    idempotencyKey: 'c',
  });
  await backend.call('execution.pause', { params: { id } });
  server.finishStep('One');
  await backend.call('execution.resume', { params: { id } });
  server.doAll();
  const logs = await backend.call('execution.logs', { params: { id }, query: { since: 0, limit: 1_000 } });
  if (!logs.ok) throw new Error('No log');
  return { began, events: logs.value, ended: await details() };
}

test('G3.02 a provider that refuses tools is a warning of its step in the console', async () => {
  const { began, events } = await recorded();
  const started = events.find(({ type }) => type === 'step.started') as ExecutionEvent;
  const refused: ExecutionEvent = { ...started, seq: 99, type: 'tools.refused' };
  expect(consoleLines(refused, { execution: began, steps: began.steps })).toMatchObject([
    { event: { code: 'tools.refused', params: { agent: started.step?.name } }, stepId: started.step?.stepId, isWarning: true },
  ]);
});

test('M2.27 M2.29 M5.03 the console says that a step waits, goes on, asks another model, and what its result lacks', async () => {
  const { began, events } = await recorded();
  const [started, completed] = (['step.started', 'step.completed'] as const).map((type) => events.find((event) => event.type === type));
  const codes = (event: ExecutionEvent | undefined, step: Partial<StepRun>, change: Partial<ExecutionEvent> = {}) =>
    consoleLines(
      { ...(event as ExecutionEvent), ...change, step: { ...(event?.step as StepRun), ...step } },
      { execution: began, steps: began.steps },
    );
  const reason = { code: 'model_rate_limited', message: 'The server is busy.' } as const;
  expect(codes(started, { wait: { ms: 39_500, reason } }, { type: 'step.retrying' })).toMatchObject([
    { event: { code: 'step.waits', params: { seconds: 40, error: reason.message } }, isWarning: true },
  ]);
  expect(codes(started, { model: 'm2', marks: ['fallback'] }, { type: 'step.retrying', error: reason })).toMatchObject([
    { event: { code: 'step.fallback', params: { model: 'm2', error: reason.message } }, isWarning: true },
  ]);
  expect(codes(started, {}, { type: 'step.retrying' })).toMatchObject([{ event: { code: 'step.retrying' } }]);
  expect(codes(started, {}, { type: 'step.continued' })).toMatchObject([{ event: { code: 'step.continued' }, isWarning: false }]);
  const lines = codes(completed, { marks: ['cut', 'noFile'] }).map(({ event, isWarning }) => [
    event?.params?.mark ?? event?.code,
    isWarning,
  ]);
  expect(lines.slice(-3)).toEqual([
    ['cut', true],
    ['noFile', true],
    ['task.completed', false],
  ]);
});

const shown = (details: ExecutionDetails): RunState => produce(emptyRun, (run) => showExecution(run, details));
const after = (run: RunState, events: readonly ExecutionEvent[]): RunState =>
  produce(run, (draft) => {
    for (const event of events) applyExecutionEvent(draft, event);
  });

test('W4.10 the events in order give the execution’s state, wherever one starts and however often they come', async () => {
  const { began, events, ended } = await recorded();
  const end = after(shown(began), events);
  expect(end).toMatchObject({
    phase: 'stopped',
    outcome: 'completed',
    steps: ended.steps,
    execution: { status: 'completed', lastSeq: ended.lastSeq, result: ended.result },
  });
  fc.assert(
    fc.property(fc.array(fc.nat(events.length), { maxLength: 10 }), (cuts) => {
      let run = shown(began);
      // Every delivery starts at event 1, as from a poll and a socket that both repeat events.
      for (const cut of [...cuts].sort((a, b) => a - b)) run = after(run, events.slice(0, cut));
      expect(after(run, events)).toEqual(end);
    }),
  );
});

test('W4.01 each event leads to the phase that the control shows', async () => {
  const { began, events } = await recorded();
  const phases = events.map((_, index) => after(shown(began), events.slice(0, index + 1)).phase);
  const of = (type: string) => phases[events.findIndex((event) => event.type === type)];
  expect([of('step.started'), of('execution.pausing'), of('execution.resumed'), of('execution.completed')]).toEqual([
    'running',
    'pausing',
    'running',
    'stopped',
  ]);
});

test('W4.18 a requested stop stays requested until the execution has ended', async () => {
  const { began, events } = await recorded();
  const stopping = produce(shown(began), (run) => {
    run.phase = 'stopping';
  });
  expect(after(stopping, events.slice(0, 3)).phase).toBe('stopping');
  expect(after(stopping, events).phase).toBe('stopped');
});

test('W4.10 an event of another execution changes nothing', async () => {
  const { began, events } = await recorded();
  const other = { ...(events[2] as ExecutionEvent), executionId: '01900000-0000-7000-8000-00000000ffff' };
  expect(after(shown(began), [other])).toEqual(shown(began));
});

test('W3.07 the same log gives the same lines with the same ids, each once', async () => {
  const { began, events } = await recorded();
  const lines = events.flatMap((event) => consoleLines(event, shown(began)));
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  expect(events.flatMap((event) => consoleLines(event, shown(began)))).toEqual(lines);
  expect(lines.filter(({ type }) => type === 'message').map(({ text, toAgentTitle, isUser }) => [text, toAgentTitle, isUser])).toEqual([
    ['Build', team[0]?.title, true],
    ['In blue', null, true],
    ['One', team[1]?.title, false],
    [`Result of ${team[1]?.title}`, team[2]?.title, false],
    [`Result of ${team[2]?.title}`, null, false],
  ]);
});

test('G1.03 G1.04 the console names the round and the item of a step that runs more than once', async () => {
  const { began, events } = await recorded();
  const started = events.find((event) => event.type === 'step.started') as ExecutionEvent;
  const step = started.step as NonNullable<ExecutionEvent['step']>;
  const said = (more: object) => consoleLines({ ...started, step: { ...step, ...more } }, shown(began)).map(({ event }) => event?.params);
  expect(said({})).toEqual([{ agent: step.name }]);
  expect(said({ round: 32 + 1, item: 7 })).toEqual([{ agent: step.name, round: 2, item: 7 }]);
});

test('W8.04 a failed step is logged with its cause, and the run’s error names it', async () => {
  const { began, events } = await recorded();
  const started = events.find((event) => event.type === 'step.started') as ExecutionEvent;
  const error = { code: 'model_unauthorized' as const, message: 'Bad key' };
  const step = { ...(started.step as NonNullable<ExecutionEvent['step']>), status: 'failed' as const, error };
  const failed: ExecutionEvent[] = [
    { ...started, seq: 90, type: 'step.failed', step, error },
    { ...started, seq: 91, type: 'execution.failed', status: 'failed', step: null, error },
  ];
  const run = after(shown(began), failed);
  const empty: ExecutionEvent = {
    ...started,
    seq: 89,
    type: 'step.completed',
    step: { ...step, status: 'completed', error: null, result: ' ' },
  };
  expect(consoleLines(empty, run).map(({ event, isWarning }) => [event?.code, isWarning])).toEqual([['agent.noResult', true]]);
  expect(run).toMatchObject({ phase: 'stopped', outcome: 'failed', error: { code: 'model_unauthorized' } });
  expect(failed.flatMap((event) => consoleLines(event, run)).map(({ event, isError }) => [event?.code, isError])).toEqual([
    ['task.failed', true],
    ['console.failed', true],
    ['run.failed', true],
  ]);
});

test('W4.10 an execution that was given up and is retried shows its failure no longer', async () => {
  const { began } = await recorded();
  const failure = { code: 'attempts_exhausted' as const, message: 'Given up' };
  const [step] = began.steps;
  if (!step) throw new Error('No step');
  const event = (more: Partial<ExecutionEvent>): ExecutionEvent => ({
    ...{ executionId: began.id, seq: began.lastSeq + 1, at: '2026-11-20T12:00:00.000Z', type: 'execution.failed', status: 'failed' },
    ...{ pauseRequested: false, progress: 0, step: null, text: null, error: null, ...more },
  });
  const failed = after(shown(began), [event({ error: failure, step: { ...step, status: 'failed', error: failure } })]);
  expect(failed).toMatchObject({ phase: 'stopped', outcome: 'failed', error: { code: 'attempts_exhausted' } });
  const pending = { ...step, status: 'pending' as const, error: null };
  const again = after(failed, [event({ seq: began.lastSeq + 2, type: 'execution.resumed', status: 'running', step: pending })]);
  expect(again).toMatchObject({ phase: 'running', outcome: null, error: null, execution: { error: null, failedAt: null } });
  expect(again.steps[0]).toMatchObject({ status: 'pending', error: null });
});

test('M4.09 the console says what a step’s prompt leaves out', async () => {
  const { began, events } = await recorded();
  const started = events.find(({ type }) => type === 'step.started') as ExecutionEvent;
  const shortened = { results: 3, texts: 2, summarised: 4, earlier: 1 };
  const event: ExecutionEvent = {
    ...{ ...started, seq: 99, type: 'prompt.shortened' },
    step: { ...(started.step as StepRun), shortened },
  };
  expect(consoleLines(event, { execution: began, steps: began.steps })).toMatchObject([
    { event: { code: 'prompt.shortened', params: { agent: started.step?.name, ...shortened } }, isWarning: true },
  ]);
});

test('M2.27 M4.09 the console reports a missing part of a step’s result once, because an event of the step has named that part', async () => {
  const { began, events } = await recorded();
  const completed = events.find(({ type }) => type === 'step.completed') as ExecutionEvent;
  const marked: StepRun = { ...(completed.step as StepRun), marks: ['cut', 'noFile', 'shortened', 'fallback', 'withoutTools'] };
  const lines = consoleLines({ ...completed, step: marked }, { execution: began, steps: began.steps });
  const said = lines.flatMap(({ event }) => (event?.code === 'step.mark' ? [event.params?.mark] : []));
  expect(said).toEqual(['cut', 'noFile']);
});
