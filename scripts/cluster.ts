import { resolve } from 'node:path';
import { onStopSignal } from '../server/platform/processes/on-stop-signal.ts';
import { buildProductWhenStale } from './build-product.ts';
import { type Cluster, startCluster } from './cluster/start-cluster.ts';
import { serverProgram } from './server-build/server-bundle.ts';
import { stopWithNpm } from './stop-with-npm.ts';

/**
 * `npm run cluster`: what `compose.cluster.yaml` describes, from processes of this machine: PostgreSQL, NATS, three nodes and a proxy on
 * `PORT`. Settings that do not set what it brings itself go to every node. Ctrl-C ends all of it.
 */
stopWithNpm();
const { PORT = '5001', DATA_DIR = 'data' } = process.env;
const print = (line: string) => console.log(line);
const brought = new Set(['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'NATS_URL', 'ARTEL_SECRET_KEY', 'TRUST_PROXY']);

let cluster: Promise<Cluster> | null = null;
let ending = false;
onStopSignal(() => void end());

if (!(await buildProductWhenStale())) process.exit(1);
try {
  cluster = startCluster({
    folder: resolve(DATA_DIR, 'cluster'),
    port: Number(PORT),
    env: forNodes(),
    program: serverProgram,
    apart: true,
    note: print,
  });
  const { url } = await cluster;
  print(`The cluster is ready at ${url.replace('127.0.0.1', 'localhost')}`);
} catch (error) {
  console.error(`The cluster cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

function forNodes(): Record<string, string> {
  const given = Object.entries(process.env).filter(([name, value]) => value !== undefined && !brought.has(name));
  return Object.fromEntries(given) as Record<string, string>;
}

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  await cluster?.then((started) => started.stop()).catch(() => {});
  process.exit(0);
}
