import { fork } from 'node:child_process';
import { join } from 'node:path';

/** A program of the benchmark in a process of its own, which answers questions and ends with its parent. */
export type Child<Question, Answer> = {
  pid: number;
  ask: (question: Question) => Promise<Answer>;
  /** Lets it close its resources, then ends it. */
  end: () => Promise<void>;
};

type Sent = { id: number; answer?: unknown; error?: string };

const endWithinMs = 10_000;

/** Starts a module of this folder. Every question is answered, or rejects with the child's error, or when the child has ended. */
export async function startChild<Question, Answer>(module: string): Promise<Child<Question, Answer>> {
  const child = fork(join(import.meta.dirname, module), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
  const open = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  let asked = 0;
  child.on('message', ({ id, answer, error }: Sent) => {
    const waiting = open.get(id);
    open.delete(id);
    if (error === undefined) waiting?.resolve(answer as Answer);
    else waiting?.reject(new Error(`${module}: ${error}`));
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void gone.then(() => {
    for (const { reject } of open.values()) reject(new Error(`${module} has ended`));
  });
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));

  return {
    pid: child.pid as number,
    ask: (question) =>
      new Promise((resolve, reject) => {
        asked += 1;
        open.set(asked, { resolve, reject });
        child.send({ id: asked, question });
      }),
    async end() {
      if (child.connected) child.disconnect();
      const cut = setTimeout(() => child.kill('SIGKILL'), endWithinMs);
      await gone;
      clearTimeout(cut);
    },
  };
}
