import { createServer } from 'node:http';
import { GCProfiler, getHeapStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import pg from 'pg';

/**
 * Loaded into a server before its own code. Answers on the Unix socket of `BENCH_COUNTS` with what the process has allocated and which
 * statements it has sent since the question before.
 */
export type Counts = { allocatedBytes: number; statements: number };

type Sent = (this: unknown, ...given: unknown[]) => unknown;
const { prototype } = (pg as unknown as { Connection: { prototype: Record<'bind' | 'query', Sent> } }).Connection;

if (isMainThread) {
  let statements = 0;
  for (const method of ['bind', 'query'] as const) {
    const send = prototype[method];
    prototype[method] = function (...given) {
      statements += 1;
      return send.apply(this, given);
    };
  }
  let profiler = new GCProfiler();
  let from = 0;
  const begin = () => {
    profiler = new GCProfiler();
    profiler.start();
    from = getHeapStatistics().used_heap_size;
    statements = 0;
  };
  begin();
  const server = createServer((_request, response) => {
    const counts: Counts = { allocatedBytes: allocatedSince(from, profiler), statements };
    response.once('close', begin).end(JSON.stringify(counts));
  });
  server.listen(process.env.BENCH_COUNTS).unref();
}

/** The growth of the heap between its collections. */
function allocatedSince(from: number, profiler: GCProfiler): number {
  let allocated = 0;
  let used = from;
  for (const { beforeGC, afterGC } of profiler.stop()?.statistics ?? []) {
    allocated += beforeGC.heapStatistics.usedHeapSize - used;
    used = afterGC.heapStatistics.usedHeapSize;
  }
  return allocated + getHeapStatistics().used_heap_size - used;
}
