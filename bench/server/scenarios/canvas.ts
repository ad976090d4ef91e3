import { setTimeout as wait } from 'node:timers/promises';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { Figure } from '../../figure.ts';
import { median, quantile } from '../../statistics.ts';
import { openAccount } from '../client/account.ts';
import { readUntil } from '../client/read-until.ts';
import { goals, toward } from '../goals.ts';
import { addUses, type Use, withUse } from '../measure/processor-use.ts';
import type { Scenario } from '../scenario.ts';

/** A large canvas saved whole, while others read. Every record differs from save to save, so that all of them are written. */
export const canvasScenario: Scenario = {
  name: 'canvas',
  run: async (bench) => {
    const account = await openAccount(bench.client(), 'instant');
    const others = await openAccount(bench.client(), 'instant');
    const project = (await account.call<{ id: string }[]>('GET', '/project')).body[0]?.id ?? '';
    const quiet = await readUntil(bench.client(), others.token, wait(bench.quick ? 1_000 : 2_000));

    const uses: Use[] = [];
    const wholeSaves = bench.quick ? 2 : 5;
    const change = async (method: 'PUT' | 'PATCH', body: object) => {
      const { status } = await account.call(method, `/project/${project}/canvas`, body);
      if (status !== 200) throw new Error(`The canvas was not saved: ${status}`);
    };
    const readVersion = async () => (await account.call<{ version: number }>('GET', `/project/${project}/canvas`)).body.version;
    const save = async (from: number) => {
      for (let turn = from; turn < from + wholeSaves; turn += 1) {
        const body = { baseVersion: await readVersion(), ...bigCanvas(5_000, 10_000, turn) };
        uses.push((await withUse(bench.parts(), () => change('PUT', body))).use);
      }
    };
    const meanwhile = await readUntil(bench.client(), others.token, save(0));
    const times = uses.splice(0).map(({ wallMs }) => wallMs);
    // Without the others, whose reads cost the same processes.
    await save(wholeSaves);
    const first = await readVersion();
    const small = await withUse(bench.parts(), async () => {
      for (let turn = 0; turn < smallSaves; turn += 1) {
        const value = { id: 'node-7', type: 'agent', title: 'Agent 7', x: turn, y: 0 };
        await change('PATCH', { baseVersion: first + turn, patches: [{ op: 'set', collection: 'nodes', id: value.id, value }] });
      }
    });
    const what = 'canvas of 5,000 nodes and 10,000 links saved';
    return [
      toward(goals.canvasSave, { what, unit: 's', value: (median(times) ?? 0) / 1_000, floor: { atMost: 2 } }),
      ...processorOf(what, addUses(uses), wholeSaves),
      {
        ...{ what: `${what}, others' p99`, unit: 'ms', value: quantile(meanwhile, 0.99) ?? 0, floor: { atMost: 300 } },
        beside: [{ name: 'without it', value: quantile(quiet, 0.99) ?? 0 }],
      },
      ...processorOf('one node of that canvas saved', small.use, smallSaves),
    ];
  },
};

/** Saves of one record: enough for the processor's clock, which has ticks of 10 ms. */
const smallSaves = 200;

function processorOf(what: string, use: Use, saves: number): Figure[] {
  return [
    { what: `${what}, processor of the server`, unit: 'ms', value: use.server / saves },
    { what: `${what}, processor of PostgreSQL`, unit: 'ms', value: use.postgres / saves },
  ];
}

function bigCanvas(nodes: number, links: number, turn: number): CanvasDocument {
  const ids = Array.from({ length: nodes }, (_, index) => `node-${index}`);
  const ends = Array.from({ length: links }, (_, index) => {
    const from = index % nodes;
    return [ids[from] as string, ids[(from + 1 + Math.floor(index / nodes)) % nodes] as string] as const;
  });
  return {
    nodes: Object.fromEntries(
      ids.map((id, index) => [
        id,
        {
          ...{ id, type: 'agent', title: `Agent ${index}`, description: 'Writes what the others read.', role: 'Developer' },
          ...{ x: (index % 100) * 350 + turn, y: Math.floor(index / 100) * 240, serverAgentId: id },
        },
      ]),
    ),
    connections: Object.fromEntries(
      ends.map(([from, to]) => {
        const id = `conn-${turn}-${from}-${to}`;
        return [id, { id, from: { agentId: from, port: 'out' }, to: { agentId: to, port: 'in' } }];
      }),
    ),
  };
}
