import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileRunGraph } from '../../../../rules/run-graph/compile-run-graph.ts';
import { type EarlierRun, type ForkQuestion, planFork } from '../../../../rules/run-graph/plan-fork.ts';
import { type CompiledGraph, regionsAround } from '../../../../rules/run-graph/run-graph.ts';
import { driveRun } from '../../../support/run-graph/drive-run.ts';
import { askedOf, forkOf, type OutcomeOf, type VersionOf } from '../../../support/run-graph/fork-run.ts';
import { compiled, shortName } from '../../../support/run-graph/play-graph.ts';
import { type MadeGraph, madeGraph, numberFrom, outcomeOf, outcomeWithPeople, taskOf } from '../../../support/run-graph/random-run.ts';
import { keyOf, referenceRun } from '../../../support/run-graph/reference-run.ts';

const numRuns = 100;

/** A team in which some prompts have changed: their steps end in another way. */
function changedTeam(made: MadeGraph, changes: string, withPeople: boolean): { outcomeOf: OutcomeOf; version: VersionOf } {
  const version = (nodeId: string) => (numberFrom(`${changes} ${nodeId}`, 4) === 0 ? 1 : 0);
  const outcomeFor = withPeople ? outcomeWithPeople : outcomeOf;
  return { version, outcomeOf: (nodeId, round, item) => outcomeFor({ ...made, seed: made.seed + version(nodeId) }, nodeId, round, item) };
}

test.each([
  ['alone', false],
  ['with people', true],
])('G5.02 any fork of any graph comes to the rows of a fresh run, and keeps what was asked the same: %s', (_, withPeople) => {
  fc.assert(
    fc.property(
      madeGraph({ firstWins: false }),
      fc.string(),
      fc.integer({ min: 1, max: 6 }),
      fc.string(),
      (made, changes, maxParallel, order) => {
        const graph = compiledOf(made);
        const task = taskOf(made);
        const before = changedTeam(made, 'never changed', withPeople);
        before.version = () => 0;
        before.outcomeOf = (...place) => (withPeople ? outcomeWithPeople : outcomeOf)(made, ...place);
        const after = changedTeam(made, changes, withPeople);
        const driven = driveRun({ compiled: graph, task, outcomeOf: before.outcomeOf, order, maxParallel });
        const plan = forkOf({ compiled: graph, task, driven, before, after });
        const expected = referenceRun(made, after.outcomeOf, task);
        if (plan.failure) {
          expect(expected.failures).toContain(plan.failure.code);
          return;
        }

        const forked = driveRun({
          compiled: graph,
          task,
          outcomeOf: after.outcomeOf,
          order,
          maxParallel,
          initial: plan.runs.map(({ run }) => run),
        });
        const found = new Map(forked.steps.map((step) => [nameOf(step), step.status === 'reused' ? 'completed' : step.status]));
        if (forked.failure !== null) expect(expected.failures).toContain(forked.failure);
        else expect(Object.fromEntries(found)).toEqual(Object.fromEntries([...expected.runs].map(([key, { status }]) => [key, status])));

        const kept = new Set(plan.runs.flatMap(({ run, reason }) => (reason === 'same' ? [nameOf(run)] : [])));
        const asked = (version: VersionOf, results: OutcomeOf, key: string, inputs: string[][], item: string) =>
          askedOf(version, results, { nodeId: key.split(' ')[0] ?? '' }, inputs, item);
        for (const [key, { inputs, item, status }] of expected.runs) {
          const then = driven.inputs.get(key);
          if (!inputs) continue;
          const isSame =
            then !== undefined &&
            asked(before.version, before.outcomeOf, key, then, driven.items.get(key) ?? '') ===
              asked(after.version, after.outcomeOf, key, inputs, item ?? '');
          if (kept.has(key)) expect([key, isSame]).toEqual([key, true]);
          // What was asked the same runs again only after a step that it waits for.
          const ended = driven.steps.find((step) => nameOf(step) === key);
          const isEnded = ended?.status === 'completed' || (ended?.status === 'failed' && driven.failure === null);
          if (!isSame || !isEnded || ended?.handOff?.state === 'open' || status !== ended?.status || kept.has(key)) continue;
          const waitedFor = stepsBefore(graph, key.split(' ')[0] ?? '');
          const again = plan.runs.filter(({ run, state }) => state !== 'reused' && waitedFor.has(run.nodeId));
          expect([key, again.length > 0]).toEqual([key, true]);
        }
      },
    ),
    { numRuns },
  );
});

test('G5.02 a fork of a graph whose steps begin with the first result ends, and runs no kept step', () => {
  fc.assert(
    fc.property(
      madeGraph({ firstWins: true }),
      fc.string(),
      fc.integer({ min: 1, max: 6 }),
      fc.string(),
      (made, changes, maxParallel, order) => {
        const graph = compiledOf(made);
        const task = taskOf(made);
        const before = { version: () => 0, outcomeOf: (...place: Parameters<OutcomeOf>) => outcomeOf(made, ...place) };
        const after = changedTeam(made, changes, false);
        const driven = driveRun({ compiled: graph, task, outcomeOf: before.outcomeOf, order, maxParallel });
        const plan = forkOf({ compiled: graph, task, driven, before, after });
        const kept = plan.runs.flatMap(({ run, reason }) => (reason === 'same' ? [nameOf(run)] : []));
        if (plan.failure) return;
        const { begun } = driveRun({
          compiled: graph,
          task,
          outcomeOf: after.outcomeOf,
          order,
          maxParallel,
          initial: plan.runs.map(({ run }) => run),
        });
        expect(begun.filter((key) => kept.includes(key))).toEqual([]);
      },
    ),
    { numRuns },
  );
});

test('G5.02 a fork keeps no step that read a file of a repeated step, or a file whose writer is unknown, in any graph', () => {
  let [kept, refused] = [0, 0];
  fc.assert(
    fc.property(madeGraph({ firstWins: false }), fc.string(), fc.string(), fc.string(), (made, changes, order, files) => {
      const graph = compiledOf(made);
      const task = taskOf(made);
      const before = { version: () => 0, outcomeOf: (...place: Parameters<OutcomeOf>) => outcomeOf(made, ...place) };
      const after = changedTeam(made, changes, false);
      const driven = driveRun({ compiled: graph, task, outcomeOf: before.outcomeOf, order, maxParallel: 4 });
      const readsOf = (key: string): (string | null)[] => {
        const earlier = driven.begun.slice(0, Math.max(0, driven.begun.indexOf(key)));
        const drawn = numberFrom(`${files} ${key}`, 4);
        if (drawn > 1) return [];
        return [drawn === 0 ? (earlier[numberFrom(`${files} of ${key}`, Math.max(1, earlier.length))] ?? null) : null];
      };
      const plan = forkOf({ compiled: graph, task, driven, before, after, readsOf });
      const same = new Set(plan.runs.flatMap(({ run, reason }) => (reason === 'same' ? [nameOf(run)] : [])));
      for (const { run, reason } of plan.runs) {
        const reads = readsOf(nameOf(run));
        if (same.has(nameOf(run))) {
          for (const writer of reads) expect([nameOf(run), writer, same.has(writer ?? '')]).toEqual([nameOf(run), writer, true]);
          kept += reads.length;
        }
        if (reason === 'files') refused += 1;
      }
    }),
    { numRuns },
  );
  expect(kept).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
});

test('G5.02 a fork of an unchanged completed run runs nothing, and a fork from a step runs the steps that follow', () => {
  fc.assert(
    fc.property(madeGraph({ firstWins: false }), fc.nat(), fc.string(), (made, at, order) => {
      const graph = compiledOf(made);
      const task = taskOf(made);
      const team = { version: () => 0, outcomeOf: (...place: Parameters<OutcomeOf>) => outcomeOf(made, ...place) };
      const driven = driveRun({ compiled: graph, task, outcomeOf: team.outcomeOf, order, maxParallel: 4 });
      if (driven.failure !== null) return;
      const same = forkOf({ compiled: graph, task, driven, before: team, after: team });
      expect(same.runs.filter(({ state }) => state !== 'reused')).toEqual([]);
      expect(same.later).toEqual([]);
      const from = driven.steps.filter(({ status }) => status === 'completed')[at % driven.begun.length];
      if (!from) return;
      const plan = forkOf({ compiled: graph, task, driven, before: team, after: team, from, followsLinks: true });
      expect(plan.runs.find(({ run }) => nameOf(run) === nameOf(from))?.reason).toBe('chosen');
      for (const { run, state, reason } of plan.runs) {
        // No input of a kept step comes from a step that runs again.
        if (state !== 'reused' || reason === 'skipped') continue;
        for (const source of driven.inputs.get(nameOf(run))?.flat() ?? [])
          expect(plan.runs.find((one) => nameOf(one.run) === source)?.state).toBe('reused');
      }
    }),
    { numRuns },
  );
});

const plain = { version: () => 0, outcomeOf: () => ({ status: 'completed' as const, choice: null, result: '' }) };

function planOf(short: Parameters<typeof compiled>[0], outcomes: Record<string, string>, fork: Partial<Parameters<typeof forkOf>[0]>) {
  const graph = compiled(short);
  const before = {
    version: () => 0,
    outcomeOf: (nodeId: string, round: number, item: number) => {
      const choice = outcomes[shortName(nodeId, round, item)] ?? null;
      return { ...plain.outcomeOf(), result: choice?.includes('.') ? choice : `of ${nodeId}`, choice };
    },
  };
  const driven = driveRun({ compiled: graph, outcomeOf: before.outcomeOf, order: '', maxParallel: 4 });
  const plan = forkOf({ compiled: graph, driven, before, after: fork.after ?? before, ...fork });
  const named = plan.runs.map(({ run, state, reason }) => [shortName(run.nodeId, run.round, run.item), `${state} ${reason}`]);
  return { ...Object.fromEntries(named), later: plan.later.map((run) => shortName(run.nodeId, run.round, run.item)).join(' ') };
}

test('G5.02 a change of one prompt among forty steps runs the changed step and the steps that follow', () => {
  const links = Array.from({ length: 39 }, (_, at) => `s${at}>s${at + 1}`);
  const changed = {
    version: (nodeId: string) => Number(nodeId === 's30'),
    outcomeOf: (nodeId: string) => ({ ...plain.outcomeOf(), result: `of ${nodeId}` }),
  };
  const { later, ...states } = planOf({ links }, {}, { after: changed });
  expect(Object.values(states).map((state) => String(state).split(' ')[0])).toEqual([
    ...Array(30).fill('reused'),
    ...Array(10).fill('rerun'),
  ]);
});

test('G5.03 a fork begins within a review loop: earlier rounds are kept, the chosen one and later ones run again', () => {
  const loop = {
    links: ['plan>write', 'write>check', ['check>write', { label: 'no', maxRounds: 5 }], ['check>end', { label: 'yes' }]],
  } as never;
  const rounds = { check: 'no', 'check@1': 'no', 'check@2': 'yes' };
  expect(planOf(loop, rounds, { from: { nodeId: 'write', round: 1, item: 0 }, followsLinks: true })).toEqual({
    plan: 'reused same',
    write: 'reused same',
    check: 'reused same',
    'write@1': 'rerun chosen',
    'check@1': 'rerun follows',
    end: 'rerun follows',
    later: 'write@2 check@2',
  });
});

test('G5.03 a fork begins with one item of a list: the other items are kept', () => {
  const list = {
    links: ['plan>work', 'work>test', 'test>sum'],
    steps: { work: { groupId: 'g' }, test: { groupId: 'g' } },
    groups: [{ id: 'g', onFailure: 'stop' }],
  } as never;
  const items = Array.from({ length: 12 }, (_, at) => `${at + 1}. item`).join('\n');
  const states = planOf(list, { plan: items }, { from: { nodeId: 'work', round: 0, item: 2 }, followsLinks: true });
  expect(states).toMatchObject({
    'work#1': 'reused same',
    'work#2': 'rerun chosen',
    'test#2': 'rerun follows',
    'test#12': 'reused same',
    sum: 'rerun follows',
  });
});

test('G5.02 everything after an edited result runs again along the same links, also steps that do not get the result', () => {
  const edit = { nodeId: 'a', round: 0, item: 0, result: 'edited', choice: 'yes' };
  const graph = { links: [['a>b', { label: 'no' }], ['a>c', { label: 'yes' }], 'b>d', 'c>d'] } as never;
  expect(planOf(graph, { a: 'no' }, { edits: [edit], followsLinks: true })).toMatchObject({
    a: 'reused edited',
    b: 'reused skipped',
    c: 'rerun follows',
    d: 'rerun follows',
  });
});

test('G5.02 a step that has read a file runs again when its writer does', () => {
  const graph = compiled({ links: ['a>b', 'c>d'] });
  const run = (nodeId: string, readFrom: (EarlierRun | null)[] = []): EarlierRun => ({
    ...{ nodeId, round: 0, item: 0, status: 'completed' as const, choice: null, result: '', begunAt: 0, endedAt: 0, readFrom },
  });
  const a = run('a');
  const question = {
    compiled: graph,
    task: '',
    earlier: [a, run('b'), run('c'), run('d', [a])],
    from: null,
    edits: [],
    followsLinks: false,
    maxRuns: 100,
  };
  const plan = (changed: string) =>
    forkPlan({
      ...question,
      differs: ({ run: { nodeId } }) => (nodeId === changed ? 'prompt' : null),
      choiceOf: () => null,
      newId: nameOf,
    });
  expect(plan('a')).toEqual({ a: 'prompt', b: 'follows', c: 'same', d: 'files' });
  expect(plan('none')).toEqual({ a: 'same', b: 'same', c: 'same', d: 'same' });
  question.earlier = [a, run('b'), run('c'), run('d', [null])];
  expect(plan('none')).toEqual({ a: 'same', b: 'same', c: 'same', d: 'files' });
});

function forkPlan(question: ForkQuestion) {
  const planning = planFork(question);
  for (;;) {
    const next = planning.next();
    if (next.done) return Object.fromEntries(next.value.runs.map(({ run, reason }) => [run.nodeId, reason]));
  }
}

function nameOf({ nodeId, round, item }: { nodeId: string; round: number; item: number }): string {
  return keyOf(nodeId, round, item);
}

/** The steps that a step may wait for: those that lead to it, all steps of their loops and lists, and those around it. */
function stepsBefore({ incoming, regionOf }: CompiledGraph, nodeId: string): Set<string> {
  const before = new Set<string>();
  const open = [
    ...(incoming.get(nodeId) ?? []).map(({ from }) => from),
    ...regionsAround({ regionOf }, nodeId).flatMap(({ nodes }) => [...nodes]),
  ];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (before.has(id)) continue;
    before.add(id);
    open.push(...(incoming.get(id) ?? []).map(({ from }) => from), ...regionsAround({ regionOf }, id).flatMap(({ nodes }) => [...nodes]));
  }
  return before;
}

function compiledOf({ graph }: MadeGraph) {
  const checked = compileRunGraph(graph);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.compiled;
}
