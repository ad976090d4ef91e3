import pg from 'pg';
import { beforeEach, expect, test, vi } from 'vitest';
import type { CanvasDocument, CanvasPatch } from '../../../contract/canvas.ts';
import { ProjectService } from '../../../server/modules/projects/index.ts';
import type { Db } from '../../../server/platform/database/database.ts';
import { openPools } from '../../../server/platform/database/open-pools.ts';
import { asOwner, type OwnerId } from '../../../server/platform/owner-id.ts';
import { setUp, setUpDatabase } from '../../support/set-up/for-vitest.ts';

/** A quarter of a canvas of 5,000 nodes and 10,000 links, with a quarter of the memory that PostgreSQL gives a statement unless it is told more. */
const size = { nodes: 1_250, links: 2_500, workMem: '1MB' };

const database = setUpDatabase();
/** The temporary files that statements have written, as PostgreSQL reports each. */
const temporaryFiles: string[] = [];
const pools = setUp(
  async () => {
    const { rows } = await database.pool.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
    for (const setting of [`work_mem = '${size.workMem}'`, 'log_temp_files = 0', 'client_min_messages = log'])
      await database.pool.query(`ALTER DATABASE ${rows[0]?.name} SET ${setting}`);
    const opened = openPools({ connectionString: database.connectionString }, () => {});
    opened.pool.on('connect', (client) => {
      client.on('notice', ({ message = '' }) => {
        if (message.startsWith('temporary file')) temporaryFiles.push(message);
      });
    });
    return opened;
  },
  (opened) => opened.end(),
);
beforeEach(() => {
  temporaryFiles.length = 0;
});

type Canvas = { id: string; userId: OwnerId; projects: ProjectService };

async function emptyCanvas(): Promise<Canvas> {
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO users (id, email, name, password_hash) SELECT id, id || '@example.com', 'Ann', 'none' FROM (SELECT gen_random_uuid() AS id) AS one RETURNING id`,
  );
  const userId = asOwner(rows[0]?.id ?? '');
  const projects = new ProjectService({
    ...{ db: pools.db, reads: pools.reads, announce: () => {}, announceChange: () => {} },
    ...{ maxVersionsBytes: Number.POSITIVE_INFINITY, maxProjects: 9, trimVersions: async () => {} },
  });
  const given = { name: 'Costs', description: '' };
  return { id: await projects.create(pools.db, userId, given, { nodes: {}, connections: {} }), userId, projects };
}

const writerOf = ({ userId }: Canvas, inTransaction: (tx: Db) => Promise<void> = async () => {}) => ({
  ...{ userId, clientId: null },
  storeIdempotentResponse: inTransaction,
});

/** A canvas of which every node differs from turn to turn, and every link is another one. */
function largeDocument(turn: number): CanvasDocument {
  const node = (index: number) => {
    const id = `node-${index}`;
    return { ...{ id, type: 'agent' as const, title: `Agent ${index}`, description: 'Writes what the others read.' }, x: index, y: turn };
  };
  const link = (index: number) => {
    const [from, to] = [index % size.nodes, (index + 1 + Math.floor(index / size.nodes)) % size.nodes];
    const ends = { from: { agentId: `node-${from}`, port: 'out' as const }, to: { agentId: `node-${to}`, port: 'in' as const } };
    return { id: `link-${turn}-${from}-${to}`, ...ends };
  };
  const byId = <T extends { id: string }>(count: number, make: (index: number) => T) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)).map((record) => [record.id, record]));
  return { nodes: byId(size.nodes, node), connections: byId(size.links, link) };
}

const moved = (x: number): CanvasPatch[] => [
  { op: 'set', collection: 'nodes', id: 'node-7', value: { id: 'node-7', type: 'agent', title: 'Agent 7', x, y: 0 } },
];

test('G6.01 a save of a large canvas writes no temporary file, whether it replaces the canvas, patches all of it or empties it', async () => {
  const canvas = await emptyCanvas();
  const { id, projects } = canvas;
  const [before, after] = [largeDocument(0), largeDocument(1)];
  await projects.putCanvas(writerOf(canvas), id, 1, before);
  await projects.putCanvas(writerOf(canvas), id, 2, after);
  const patches = Object.values(largeDocument(2).nodes).map(
    (value): CanvasPatch => ({ op: 'set', collection: 'nodes', id: value.id, value }),
  );
  const removals = Object.keys(after.connections).map((key): CanvasPatch => ({ op: 'remove', collection: 'connections', id: key }));
  await projects.patchCanvas(writerOf(canvas), id, 3, [...patches, ...removals]);
  await projects.putCanvas(writerOf(canvas), id, 4, { nodes: {}, connections: {} });
  expect(temporaryFiles).toEqual([]);
});

test('G6.01 a save is one transaction of two statements, and of a third that allows memory when it is large', async () => {
  const canvas = await emptyCanvas();
  const { id, projects } = canvas;
  await projects.putCanvas(writerOf(canvas), id, 1, largeDocument(0));
  expect(await statementsOf(() => projects.patchCanvas(writerOf(canvas), id, 2, moved(1)))).toEqual([
    'begin',
    'SELECT id, canvas_version AS version',
    'WITH differing AS',
    'commit',
  ]);
  expect(await statementsOf(() => projects.putCanvas(writerOf(canvas), id, 3, largeDocument(1)))).toEqual([
    'begin',
    'SELECT id, canvas_version AS version',
    "SELECT set_config('work_mem'",
    'WITH differing AS',
    'commit',
  ]);
});

test('G6.01 a save of one record reads that record only, however large the canvas is and however often it is saved', async () => {
  const canvas = await emptyCanvas();
  const { id, projects } = canvas;
  await projects.putCanvas(writerOf(canvas), id, 1, largeDocument(0));
  await database.pool.query('ANALYZE');
  const read: number[] = [];
  const countRows = async (tx: Db) => {
    // PostgreSQL counts on from transaction to transaction, unless it has reported its counts between them.
    const { rows } = await tx.execute<{ rows: number }>(
      `SELECT sum(seq_tup_read + idx_tup_fetch)::integer AS rows, pg_stat_force_next_flush() FROM pg_stat_xact_user_tables WHERE relname IN ('canvas_nodes', 'canvas_connections')`,
    );
    read.push(rows[0]?.rows ?? 0);
  };
  // PostgreSQL plans a prepared statement for any values after five executions.
  const saves = 8;
  for (let turn = 0; turn < saves; turn += 1) await projects.patchCanvas(writerOf(canvas, countRows), id, 2 + turn, moved(turn));
  expect(read).toHaveLength(saves);
  expect(Math.max(...read.slice(1))).toBeLessThanOrEqual(2);
});

/** The first words of the statements that are sent meanwhile, each of which is one round trip. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.map(([statement]) => {
      const text = typeof statement === 'string' ? statement : ((statement as { text?: string } | undefined)?.text ?? '');
      return /^\s*(SELECT id, canvas_version AS version|SELECT \w+\('\w+'|WITH \w+ AS|\w+)/.exec(text)?.[1] ?? text;
    });
  } finally {
    query.mockRestore();
  }
}
