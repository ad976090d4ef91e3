/**
 * Carries out tasks in their order, at most `atOnce` at the same time. A task that is `alone` begins when all before it have ended, and the
 * next one begins after it. Resolves with the results in the order of the tasks.
 */
export async function inTurn<Task extends { alone?: boolean }, Result>(
  tasks: readonly Task[],
  atOnce: number,
  carryOut: (task: Task) => Promise<Result>,
): Promise<Result[]> {
  const results: Promise<Result>[] = [];
  const running = new Set<Promise<unknown>>();
  for (const task of tasks) {
    while (running.size > (task.alone ? 0 : atOnce - 1)) await Promise.race(running);
    const result = carryOut(task);
    results.push(result);
    const ended = result.catch(() => {}).finally(() => running.delete(ended));
    running.add(ended);
    if (task.alone) await ended;
  }
  return Promise.all(results);
}
