import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { WebSocketServer } from 'ws';

export type BareSockets = {
  url: string;
  /** Sends every client so many messages a second, for so long. */
  broadcast: (load: { perSecond: number; seconds: number }) => Promise<void>;
  stop: () => Promise<void>;
};

/** A plain WebSocket server that sends the messages that Artel sends for a streamed text. */
export async function startBareSockets(): Promise<BareSockets> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const id = '0192f0c1-0000-7000-8000-000000000000';
  const about = { agentId: id, projectId: id, executionId: id, stepId: id };
  const say = () => {
    const content = `${'a streamed text '.repeat(9)}${Math.round(performance.timeOrigin + performance.now())} `;
    const text = JSON.stringify({ type: 'agent_thought', content, position: 0, partial: true, ...about });
    for (const client of server.clients) client.send(text);
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    broadcast: ({ perSecond, seconds }) =>
      new Promise((resolve) => {
        const begun = performance.now();
        let said = 0;
        const timer = setInterval(() => {
          const elapsed = performance.now() - begun;
          for (; said < Math.min(elapsed / 1_000, seconds) * perSecond; said += 1) say();
          if (elapsed < seconds * 1_000) return;
          clearInterval(timer);
          resolve();
        }, 5);
      }),
    stop: () => {
      for (const client of server.clients) client.terminate();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
