import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import { median, quantile } from '../../statistics.ts';
import { openAccount } from '../client/account.ts';
import { readUntil } from '../client/read-until.ts';
import { goals, toward } from '../goals.ts';
import type { Scenario } from '../scenario.ts';

/** A large canvas saved whole, while others read. Every record differs from save to save, so that all of them are written. */
export const canvasScenario: Scenario = {
  name: 'canvas',
  run: async (bench) => {
    const account = await openAccount(bench.client(), 'instant');
    const others = await openAccount(bench.client(), 'instant');
    const project = (await account.call<{ id: string }[]>('GET', '/project')).body[0]?.id ?? '';
    const quiet = await readUntil(bench.client(), others.token, wait(bench.quick ? 1_000 : 2_000));

    const times: number[] = [];
    const save = async () => {
      for (let turn = 0; turn < (bench.quick ? 2 : 5); turn += 1) {
        const { version } = (await account.call<{ version: number }>('GET', `/project/${project}/canvas`)).body;
        const document = bigCanvas(5_000, 10_000, turn);
        const from = performance.now();
        const { status } = await account.call('PUT', `/project/${project}/canvas`, { baseVersion: version, ...document });
        if (status !== 200) throw new Error(`The canvas was not saved: ${status}`);
        times.push(performance.now() - from);
      }
    };
    const meanwhile = await readUntil(bench.client(), others.token, save());
    const what = 'canvas of 5,000 nodes and 10,000 links saved';
    return [
      toward(goals.canvasSave, { what, unit: 's', value: (median(times) ?? 0) / 1_000, floor: { atMost: 2 } }),
      {
        ...{ what: `${what}, others' p99`, unit: 'ms', value: quantile(meanwhile, 0.99) ?? 0, floor: { atMost: 300 } },
        beside: [{ name: 'without it', value: quantile(quiet, 0.99) ?? 0 }],
      },
    ];
  },
};

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
