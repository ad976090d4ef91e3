import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from '../../../tests/support/open-test-database.ts';
import { answerParent } from './answer-parent.ts';
import { type BareEngine, type StepWork, startBareEngine } from './bare-engine.ts';
import { type BareQueue, startBareQueue } from './bare-queue.ts';
import { type BareSockets, startBareSockets } from './bare-sockets.ts';
import { commitRows } from './commit-rows.ts';
import type { Block } from './keep-in-flight.ts';

/** The peers of Artel, on a PostgreSQL with the same settings. */
export type PeerQuestion =
  | { kind: 'postgres' }
  | { kind: 'workflows'; inFlight: number; seconds: number; work: StepWork }
  | { kind: 'jobs'; inFlight: number; stepMs: number; seconds: number }
  | { kind: 'commits'; connections: number; seconds: number }
  | { kind: 'sockets' }
  | { kind: 'broadcast'; perSecond: number; seconds: number };
export type PeerAnswer = number | string | Block;

let database: Promise<TestDatabase> | null = null;
let engine: Promise<BareEngine> | null = null;
let queue: Promise<BareQueue> | null = null;
let sockets: Promise<BareSockets> | null = null;
const openOnce = () => {
  database ??= openTestDatabase();
  return database;
};

answerParent<PeerQuestion, PeerAnswer>(
  async (question) => {
    switch (question.kind) {
      case 'postgres':
        return Number.parseInt(await readFile(join((await openOnce()).dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
      case 'workflows':
        engine ??= startBareEngine(await openOnce());
        return (await engine).run(question);
      case 'jobs':
        queue ??= startBareQueue(await openOnce());
        return (await queue).run(question);
      case 'commits':
        return commitRows((await openOnce()).connectionString, question);
      case 'sockets':
        sockets ??= startBareSockets();
        return (await sockets).url;
      case 'broadcast':
        await (await sockets)?.broadcast(question);
        return 0;
      default:
        return question satisfies never;
    }
  },
  async () => {
    await (await sockets)?.stop();
    await (await engine)?.stop();
    await (await queue)?.stop();
    await (await database)?.remove();
  },
);
