import { performance } from 'node:perf_hooks';
import { WebSocket } from 'ws';

type Run = { firstEventAt: number; endedAt: number; completed: boolean };

export type RunFollower = {
  /** Resolves when the run has ended. Moments are those of `performance.now()`. */
  ended: (executionId: string) => Promise<Run>;
  close: () => void;
};

/** Follows all runs of one account over its WebSocket, as the page does. Reads no more of a message than it needs. */
export async function followRuns(url: string, token: string): Promise<RunFollower> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/natsws?token=${token}`, { perMessageDeflate: false });
  const first = new Map<string, number>();
  const done = new Map<string, Run>();
  const waiting = new Map<string, (run: Run) => void>();
  socket.on('message', (data: Buffer) => {
    const type = data.indexOf('"type":"execution.');
    if (type < 0) return;
    const text = data.toString('latin1');
    const id = /"executionId":"([^"]+)"/.exec(text)?.[1] ?? '';
    const event = text.slice(type + 18, text.indexOf('"', type + 18));
    const now = performance.now();
    if (!first.has(id)) first.set(id, now);
    if (event !== 'completed' && event !== 'failed' && event !== 'cancelled') return;
    const run = { firstEventAt: first.get(id) as number, endedAt: now, completed: event === 'completed' };
    first.delete(id);
    const tell = waiting.get(id);
    waiting.delete(id);
    if (tell) tell(run);
    else done.set(id, run);
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  // The server sends no messages until the client has named its last events.
  socket.send(JSON.stringify({ type: 'since', since: {} }));

  return {
    ended: (executionId) => {
      const run = done.get(executionId);
      done.delete(executionId);
      return run ? Promise.resolve(run) : new Promise((resolve) => waiting.set(executionId, resolve));
    },
    close: () => socket.close(),
  };
}
