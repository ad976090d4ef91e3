import type { CDPSession } from 'playwright';

type Answer = { id?: number; result?: { usedSize?: number } };

/** How long (ms) a worker may take to answer. */
const answerWithinMs = 20_000;

/** JavaScript heap of a page's dedicated workers after a collection, MB in all; null for a page without workers. */
export async function workerHeapMb(session: CDPSession): Promise<number | null> {
  const workers: string[] = [];
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') workers.push(sessionId);
  });
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const sizes: number[] = [];
  for (const sessionId of workers) {
    await ask(session, sessionId, 'HeapProfiler.collectGarbage');
    const { result } = await ask(session, sessionId, 'Runtime.getHeapUsage');
    sizes.push((result?.usedSize ?? 0) / 1_048_576);
  }
  await session.send('Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false, flatten: false });
  return sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0);
}

let lastId = 0;

function ask(session: CDPSession, sessionId: string, method: string): Promise<Answer> {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the worker did not answer ${method}`)), answerWithinMs);
    const hear = ({ sessionId: from, message }: { sessionId: string; message: string }) => {
      const answer = JSON.parse(message) as Answer;
      if (from !== sessionId || answer.id !== id) return;
      clearTimeout(timer);
      session.off('Target.receivedMessageFromTarget', hear);
      resolve(answer);
    };
    session.on('Target.receivedMessageFromTarget', hear);
    session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) }).catch(reject);
  });
}
