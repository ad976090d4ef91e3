import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '../../statistics.ts';
import { openAccount } from '../client/account.ts';
import { openSockets, type SocketCrowd } from '../client/open-sockets.ts';
import { limitOf, type Use, withUse } from '../measure/processor-use.ts';
import type { Scenario } from '../scenario.ts';

/** Runs of one account whose agents write simultaneously; together their texts make fifty messages a second. */
const writers = 6;
const writeEveryMs = 115;

/** One account with a thousand sockets that all get the text of six agents, in turns with a plain WebSocket server. */
export const socketScenario: Scenario = {
  name: 'sockets',
  run: async (bench) => {
    const many = bench.quick ? 200 : 1_000;
    const seconds = bench.quick ? 2 : 6;
    const url = bench.server().url;
    const account = await openAccount(bench.client(), `stream-${writeEveryMs}-2500`);
    const crowd = await openSockets(Array<string>(many).fill(`${url.replace('http', 'ws')}/api/natsws?token=${account.token}`));
    const runs = await Promise.all(Array.from({ length: writers }, account.start));
    await wait(1_000);
    const artel = await heard(crowd, () => withUse(bench.parts(), () => wait(seconds * 1_000)));
    await Promise.all(runs.map((id) => account.call('POST', `/PipelineExecution/${id}/stop`)));
    crowd.close();

    const bareCrowd = await openSockets(Array<string>(many).fill(String(await bench.peers.ask({ kind: 'sockets' }))));
    const bare = await heard(bareCrowd, async () => {
      await bench.peers.ask({ kind: 'broadcast', perSecond: 50, seconds });
      return { use: null };
    });
    bareCrowd.close();

    const what = `${many.toLocaleString('en')} WebSockets, 50 messages/s each`;
    return [
      {
        ...{ what, unit: 'messages/s', value: artel.perSecond, note: noteOf(artel.use, artel.perSecond) },
        ...(!bench.quick && { floor: { atLeast: many * 48 } }),
        beside: [{ name: 'bare ws', value: bare.perSecond }],
      },
      {
        ...{ what: `${what}, p99`, unit: 'ms', value: artel.p99 },
        ...(!bench.quick && { floor: { atMost: 100 } }),
        beside: [{ name: 'bare ws', value: bare.p99 }],
      },
    ];
  },
};

async function heard<T extends { use: Use | null }>(crowd: SocketCrowd, during: () => Promise<T>) {
  const before = crowd.open();
  crowd.begin();
  const { use } = await during();
  const { perSecond, latencies } = crowd.counted();
  if (crowd.open() < before) throw new Error(`${before - crowd.open()} of ${before} sockets were closed`);
  return { perSecond, p99: quantile(latencies, 0.99) ?? Number.NaN, use };
}

function noteOf(use: Use | null, perSecond: number): string {
  if (use === null) return '';
  const each = (ms: number) => ((ms / use.wallMs / perSecond) * 1e6).toFixed(1);
  return `${limitOf(use)}; µs a message: server ${each(use.server)}, generator ${each(use.generator)}`;
}
