import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from '../../../tests/support/open-test-database.ts';
import { answerParent } from './answer-parent.ts';
import { type BareEngine, startBareEngine } from './bare-engine.ts';
import { commitRows } from './commit-rows.ts';
import type { Block } from './keep-in-flight.ts';

/** What Artel is measured beside, on a PostgreSQL of the same kind and settings. */
export type PeerQuestion =
  | { kind: 'postgres' }
  | { kind: 'workflows'; inFlight: number; stepMs: number; seconds: number }
  | { kind: 'commits'; connections: number; seconds: number };
export type PeerAnswer = number | Block;

let database: Promise<TestDatabase> | null = null;
let engine: Promise<BareEngine> | null = null;
const openOnce = () => {
  database ??= openTestDatabase();
  return database;
};

answerParent<PeerQuestion, PeerAnswer>(
  async (question) => {
    const open = await openOnce();
    switch (question.kind) {
      case 'postgres':
        return Number.parseInt(await readFile(join(open.dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
      case 'workflows':
        engine ??= startBareEngine(open);
        return (await engine).run(question);
      case 'commits':
        return commitRows(open.connectionString, question);
      default:
        return question satisfies never;
    }
  },
  async () => {
    await (await engine)?.stop();
    await (await database)?.remove();
  },
);
