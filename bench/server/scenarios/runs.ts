import type { Figure } from '../../figure.ts';
import { median, quantile } from '../../statistics.ts';
import type { BenchProcesses, FollowedAccount } from '../bench-processes.ts';
import { goals, toward } from '../goals.ts';
import { addUses, limitOf, type Use, withUse } from '../measure/processor-use.ts';
import { type Block, keepInFlight } from '../processes/keep-in-flight.ts';
import type { Scenario } from '../scenario.ts';

/**
 * Runs of five steps, in turns with the bare durable engine, with only pg-boss, and with single-row commits. The steps of the bare engine do
 * nothing, or make the same model calls ("with models"). The second is the peer whose figures are limits.
 */
export const runScenarios: Scenario[] = [
  {
    name: 'runs-16',
    run: async (bench) => {
      const { artel, commits, ...peers } = await inTurns(bench, { inFlight: 16, stepMs: 0, rounds: 3, seconds: 5, commits: true });
      const what = 'five steps, model answers at once, 16 in flight';
      return [
        toward(goals.runRate, {
          ...rateFigure(what, artel, { atLeast: 80 }),
          note: `${limitOf(addUses(artel.uses))}; ${costOf(artel)}; bare engine: ${costOf(peers.bare)}; with models: ${costOf(peers.withModels)}`,
          beside: [...besideRate(peers, { atLeast: 0.9 }), { name: 'row commits', value: rateOf(commits) }],
        }),
        latencyFigure(`${what}, p50`, 0.5, artel, peers),
        toward(goals.runP99, { ...latencyFigure(`${what}, p99`, 0.99, artel, { ...peers, atMost: 1.2 }), floor: { atMost: 450 } }),
        toward(goals.runProcessor, processorFigure(`${what}, processor of server and PostgreSQL`, artel, peers)),
      ];
    },
  },
  {
    name: 'runs-1',
    run: async (bench) => {
      const { artel, ...peers } = await inTurns(bench, { inFlight: 1, stepMs: 0, rounds: 3, seconds: 3 });
      return [
        toward(goals.runAlone, {
          ...latencyFigure('five steps, model answers at once, one in flight, median', 0.5, artel, { ...peers, atMost: 1 }),
          floor: { atMost: 30 },
          note: costOf(artel),
        }),
      ];
    },
  },
  {
    name: 'runs-50ms',
    run: async (bench) => {
      const figures: Figure[] = [];
      for (const [inFlight, floor] of [
        [16, 45],
        [64, 90],
      ] as const) {
        const { artel, ...peers } = await inTurns(bench, { inFlight, stepMs: 50, rounds: 2, seconds: 5 });
        const what = `five steps, model answers in 50 ms, ${inFlight} in flight`;
        figures.push({ ...rateFigure(what, artel, { atLeast: floor }), beside: besideRate(peers, {}) });
        figures.push(latencyFigure(`${what}, p99`, 0.99, artel, peers));
      }
      return figures;
    },
  },
];

type Load = { inFlight: number; stepMs: number; rounds: number; seconds: number; commits?: boolean };
type Measured = { blocks: Block[]; uses: Use[] };
type Peers = { bare: Measured; withModels: Measured; queue: Measured };

async function inTurns(bench: BenchProcesses, load: Load): Promise<Peers & { artel: Measured; commits: Measured }> {
  const rounds = bench.quick ? 1 : load.rounds;
  const seconds = bench.quick ? 1.2 : load.seconds;
  const { inFlight, stepMs } = load;
  const model = stepMs === 0 ? 'instant' : `after-${stepMs}`;
  const modelUrl = String(await bench.models.ask({ kind: 'url' }));
  const followedAccount = await bench.followedAccount(model);
  const run = () => oneRun(followedAccount);
  const artel: Measured = { blocks: [], uses: [] };
  const bare: Measured = { blocks: [], uses: [] };
  const withModels: Measured = { blocks: [], uses: [] };
  const queue: Measured = { blocks: [], uses: [] };
  const commits: Measured = { blocks: [], uses: [] };
  for (let round = 0; round < rounds; round += 1) {
    add(artel, await withUse(bench.parts(), () => keepInFlight(inFlight, seconds, run)));
    add(bare, await ofPeers(bench, { kind: 'workflows', inFlight, seconds, work: { stepMs } }));
    add(withModels, await ofPeers(bench, { kind: 'workflows', inFlight, seconds, work: { modelUrl, model } }));
    add(queue, await ofPeers(bench, { kind: 'jobs', inFlight, stepMs, seconds }));
    if (load.commits) add(commits, await ofPeers(bench, { kind: 'commits', connections: 16, seconds: 1 }));
  }
  const failed = artel.blocks.reduce((sum, block) => sum + block.failed, 0);
  if (failed > 0) throw new Error(`${failed} runs failed`);
  return { artel, bare, withModels, queue, commits };
}

/** Starts a run and resolves when its end has arrived over the socket. */
export async function oneRun({ account, follower }: FollowedAccount): Promise<void> {
  const run = await follower.ended(await account.start());
  if (!run.completed) throw new Error('A run did not complete.');
}

async function ofPeers(
  bench: BenchProcesses,
  question: Parameters<BenchProcesses['peers']['ask']>[0],
): Promise<{ value: Block; use: Use }> {
  const postgres = (await bench.peers.ask({ kind: 'postgres' })) as number;
  return withUse({ server: bench.peers.pid, postgres, models: bench.models.pid }, async () => (await bench.peers.ask(question)) as Block);
}

function add(measured: Measured, { value, use }: { value: Block; use: Use }): void {
  measured.blocks.push(value);
  measured.uses.push(use);
}

/** The median over the rounds, so that one disturbed round does not count. */
function rateOf({ blocks }: Measured): number {
  return median(blocks.map(({ latencies, seconds }) => latencies.length / seconds)) ?? 0;
}

function latencyOf({ blocks }: Measured, share: number): number {
  return (
    quantile(
      blocks.flatMap(({ latencies }) => latencies),
      share,
    ) ?? Number.NaN
  );
}

function rateFigure(what: string, measured: Measured, floor: { atLeast: number }): Figure & { unit: 'runs/s' } {
  const note = `${limitOf(addUses(measured.uses))}; ${costOf(measured)}`;
  return { what, unit: 'runs/s', value: rateOf(measured), floor, note };
}

function besideRate({ bare, withModels, queue }: Peers, limit: { atLeast?: number }): NonNullable<Figure['beside']> {
  return [
    { name: 'bare engine', value: rateOf(bare) },
    { name: 'with models', value: rateOf(withModels), ...limit },
    { name: 'pg-boss alone', value: rateOf(queue) },
  ];
}

/** `atMost`: the limit of the figure as a multiple of that of the bare engine with models. */
function latencyFigure(
  what: string,
  share: number,
  artel: Measured,
  { bare, withModels, queue, atMost }: Peers & { atMost?: number },
): Figure & { unit: 'ms' } {
  const limit = atMost !== undefined && { atMost };
  const beside = [
    { name: 'bare engine', value: latencyOf(bare, share) },
    { name: 'with models', value: latencyOf(withModels, share), ...limit },
    { name: 'pg-boss alone', value: latencyOf(queue, share) },
  ];
  return { what, unit: 'ms', value: latencyOf(artel, share), beside };
}

/** The peer makes its calls in the process of its engine. */
function processorFigure(what: string, artel: Measured, { bare, withModels }: Peers): Figure & { unit: 'ms' } {
  const each = (measured: Measured) => {
    const { server, postgres } = addUses(measured.uses);
    return (server + postgres) / runsOf(measured);
  };
  const beside = [
    { name: 'bare engine', value: each(bare) },
    { name: 'with models', value: each(withModels) },
  ];
  return { what, unit: 'ms', value: each(artel), beside };
}

function runsOf({ blocks }: Measured): number {
  return Math.max(
    1,
    blocks.reduce((sum, { done }) => sum + done, 0),
  );
}

/** Processor time a run. */
function costOf(measured: Measured): string {
  const { server, postgres, models, generator } = addUses(measured.uses);
  const each = (ms: number) => (ms / runsOf(measured)).toFixed(1);
  return `ms a run: server ${each(server)}, PostgreSQL ${each(postgres)}, models ${each(models)}, generator ${each(generator)}`;
}
