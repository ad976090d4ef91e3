import { Worker } from 'node:worker_threads';

/**
 * Loaded into a server before its own code. It kills the process so many ms after its start as `KILL_AFTER_MS` says, by a thread of its own: at any
 * instruction of the server.
 */
const afterMs = Number(process.env.KILL_AFTER_MS);
const killing = `const { workerData } = require('node:worker_threads');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, workerData);
  process.kill(process.pid, 'SIGKILL');`;
if (afterMs > 0) new Worker(killing, { eval: true, workerData: afterMs, env: {}, execArgv: [] }).unref();
