import { connect, type Socket } from 'node:net';
import { quantile } from '../../statistics.ts';
import { keepInFlight } from '../processes/keep-in-flight.ts';
import type { Scenario } from '../scenario.ts';
import { oneRun } from './runs.ts';

/** A thousand connections that start a request and never finish it, beside normal load. */
export const slowClientsScenario: Scenario = {
  name: 'slow-clients',
  run: async (bench) => {
    const many = bench.quick ? 300 : 1_000;
    const seconds = bench.quick ? 1.2 : 5;
    const followedAccount = await bench.followedAccount('instant');
    const work = () => keepInFlight(16, seconds, () => oneRun(followedAccount));
    const quiet = await work();
    const sockets = await Promise.all(Array.from({ length: many }, () => halfOpen(bench.server().url)));
    const trickle = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('x');
    }, 1_000);
    try {
      const beset = await work();
      const open = sockets.filter(({ destroyed }) => !destroyed).length;
      const what = `five steps, 16 in flight, beside ${many} half-open connections`;
      const p99 = ({ latencies }: typeof quiet) => quantile(latencies, 0.99) ?? 0;
      return [
        {
          ...{ what, unit: 'runs/s', value: beset.latencies.length / seconds, note: `${beset.failed} failed, ${open} still open` },
          beside: [{ name: 'without them', value: quiet.latencies.length / seconds, atLeast: 0.8 }],
        },
        { what: `${what}, p99`, unit: 'ms', value: p99(beset), beside: [{ name: 'without them', value: p99(quiet) }] },
      ];
    } finally {
      clearInterval(trickle);
      for (const socket of sockets) socket.destroy();
    }
  },
};

async function halfOpen(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
  socket.write('POST /api/auth/login HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{');
  return socket;
}
