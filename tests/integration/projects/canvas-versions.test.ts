import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Canvas, CanvasDocument, CanvasNode, CanvasPatch, Connection } from '../../../contract/canvas.ts';
import { thinVersions, VersionTrimming } from '../../../server/modules/projects/index.ts';
import { openPools } from '../../../server/platform/database/open-pools.ts';
import { documentDifferences } from '../../../src/model/document/document-differences.ts';
import { awayFromMidnight } from '../../support/away-from-midnight.ts';
import { signUp } from '../../support/call-api.ts';
import { setUp, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const { database, server } = setUpServerOnDatabase({ ARTEL_VERSIONS_MB: '1' });
const ann = setUp(() => signUp(server.url));
const pools = setUp(
  async () => openPools({ connectionString: database.connectionString }, () => {}),
  (pools) => pools.end(),
);
beforeEach(awayFromMidnight);

const card = (id: string, more: Partial<CanvasNode> = {}): CanvasNode => ({ id, type: 'start', title: `Card ${id}`, x: 0, y: 0, ...more });
const link = (from: string, to: string): Connection => ({
  id: `${from}-${to}`,
  from: { agentId: from, port: 'out' },
  to: { agentId: to, port: 'in' },
});
const set = (node: CanvasNode): CanvasPatch => ({ op: 'set', collection: 'nodes', id: node.id, value: node });
const setLink = (value: Connection): CanvasPatch => ({ op: 'set', collection: 'connections', id: value.id, value });
const remove = (id: string): CanvasPatch => ({ op: 'remove', collection: 'nodes', id });

async function emptyProject(name = 'Versions'): Promise<{ params: { id: string } }> {
  const { id } = await ann.ask('project.create', { body: { name } });
  return { params: { id } };
}
type Project = { params: { id: string } };

async function save(own: Project, baseVersion: number, ...patches: CanvasPatch[]): Promise<number> {
  return (await ann.ask('project.patchCanvas', { ...own, body: { baseVersion, patches } })).version;
}
const versionOf = ({ params: { id } }: Project, version: number | string) => ({ params: { id, version: String(version) } });
const ageBy = (own: Project, days: number) =>
  database.pool.query('UPDATE canvas_changes SET at = at - make_interval(days => $2) WHERE project_id = $1', [own.params.id, days]);
const rowsOf = async (table: string, own: Project) =>
  (
    await database.pool.query<{ version: number }>(`SELECT version FROM ${table} WHERE project_id = $1 ORDER BY version`, [own.params.id])
  ).rows.map(({ version }) => version);

const ids = ['a', 'b', 'c', 'd'];
const oneId = fc.constantFrom(...ids);
const onePatch: fc.Arbitrary<CanvasPatch> = fc.oneof(
  fc
    .record({ id: oneId, x: fc.integer({ min: -3, max: 3 }), title: fc.constantFrom('One', 'Two') })
    .map(({ id, ...more }) => set(card(id, more))),
  oneId.map(remove),
  fc.uniqueArray(oneId, { minLength: 2, maxLength: 2 }).map(([from, to]) => setLink(link(from as string, to as string))),
  fc
    .uniqueArray(oneId, { minLength: 2, maxLength: 2 })
    .map((pair) => ({ op: 'remove', collection: 'connections', id: pair.join('-') }) as const),
);
/** A save: of patches, or of the whole canvas. A day may pass before it, so that it takes a snapshot. */
const oneSave = fc.record({ patches: fc.array(onePatch, { maxLength: 6 }), whole: fc.boolean(), aDayLater: fc.boolean() });

function applied({ nodes, connections }: CanvasDocument, patches: readonly CanvasPatch[]): CanvasDocument {
  const next: CanvasDocument = { nodes: { ...nodes }, connections: { ...connections } };
  for (const patch of patches) {
    if (patch.op === 'remove') delete next[patch.collection][patch.id];
    else Object.assign(next[patch.collection], { [patch.id]: patch.value });
  }
  return next;
}

/** Links of which an end is missing are stored, and not shown. */
function shown({ nodes, connections }: CanvasDocument): CanvasDocument {
  const links = Object.entries(connections).filter(([, { from, to }]) => from.agentId in nodes && to.agentId in nodes);
  return { nodes, connections: Object.fromEntries(links) };
}

test('G6.02 every version is read exactly as it was saved, and two are compared as they differ, from snapshots and changes of any order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(oneSave, { minLength: 1, maxLength: 10 }),
      fc.array(fc.nat({ max: 100 }), { minLength: 2, maxLength: 6 }),
      async (saves, picks) => {
        const own = await emptyProject();
        const known: CanvasDocument[] = [{ nodes: {}, connections: {} }];
        for (const { patches, whole, aDayLater } of saves) {
          if (aDayLater) await ageBy(own, 2);
          const next = applied(known.at(-1) as CanvasDocument, patches);
          if (whole) await ann.ask('project.putCanvas', { ...own, body: { baseVersion: known.length, ...next } });
          else await save(own, known.length, ...patches);
          known.push(next);
        }
        const at = (version: number) => known[version - 1] as CanvasDocument;
        for (let version = 1; version <= known.length; version++) {
          expect(await ann.ask('project.version', versionOf(own, version))).toEqual({ version, ...shown(at(version)) });
        }
        for (let pick = 1; pick < picks.length; pick++) {
          const [left, right] = [picks[pick - 1], picks[pick]].map((value) => 1 + ((value as number) % known.length)) as [number, number];
          if (left === right) continue;
          const { nodes, connections } = await ann.ask('project.compareVersions', { ...own, query: { left, right } });
          const differing = (collection: 'nodes' | 'connections') =>
            documentDifferences(at(left), at(right)).flatMap((patch) => (patch.collection === collection ? [patch.id] : []));
          expect(nodes.map(({ id }) => id).toSorted()).toEqual(differing('nodes').toSorted());
          expect(connections.map(({ id }) => id).toSorted()).toEqual(differing('connections').toSorted());
          for (const { id, left: before, right: after } of nodes)
            expect([before, after]).toEqual([at(left).nodes[id], at(right).nodes[id]]);
        }
      },
    ),
    { numRuns: 8 },
  );
});

test('G6.02 large changes, which are stored as a text, are read and compared exactly', async () => {
  const own = await emptyProject();
  const description = 'A "quoted" line\\, a tab\t and two lines\nof Кириллица 🙂. '.repeat(40);
  const cards = Array.from({ length: 60 }, (_, index) => card(`c"${index}\\`, { description }));
  const documentOf = (nodes: readonly CanvasNode[]) => ({
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    connections: {},
  });
  const moved = cards.map((node) => ({ ...node, x: node.x + 10 }));
  await save(own, 1, ...cards.map(set));
  await ann.ask('project.putCanvas', { ...own, body: { baseVersion: 2, ...documentOf(moved) } });
  await ann.ask('project.putCanvas', { ...own, body: { baseVersion: 3, ...documentOf(moved.slice(0, 20)) } });
  const { rows } = await database.pool.query<{ kinds: string }>(
    `SELECT jsonb_typeof(patches) || '/' || jsonb_typeof(inverse) AS kinds FROM canvas_changes WHERE project_id = $1 ORDER BY version`,
    [own.params.id],
  );
  expect(rows.map(({ kinds }) => kinds)).toEqual(['string/array', 'string/string', 'array/string']);
  for (const [version, nodes] of [[], cards, moved, moved.slice(0, 20)].entries()) {
    expect(await ann.ask('project.version', versionOf(own, version + 1))).toEqual({ version: version + 1, ...documentOf(nodes) });
  }
  const { nodes } = await ann.ask('project.compareVersions', { ...own, query: { left: 2, right: 4 } });
  expect(nodes).toHaveLength(60);
  expect(nodes.filter(({ right }) => right === undefined)).toHaveLength(40);
});

test('G6.01 a save and its version are stored together or not at all, and of two writers one is refused without a trace', async () => {
  const own = await emptyProject();
  const body = (title: string) => ({ baseVersion: 1, patches: [set(card('a', { title }))] });
  const both = await Promise.allSettled([
    ann.ask('project.patchCanvas', { ...own, body: body('First') }),
    ann.ask('project.patchCanvas', { ...own, body: body('Second') }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await rowsOf('canvas_changes', own)).toEqual([2]);

  await database.pool.query(`CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
  await database.pool.query('CREATE TRIGGER refuse BEFORE INSERT ON canvas_changes FOR EACH ROW EXECUTE FUNCTION refuse_change()');
  try {
    expect(await ann.refused('project.patchCanvas', { ...own, body: { baseVersion: 2, patches: [set(card('b'))] } })).toMatchObject({
      status: 500,
    });
  } finally {
    await database.pool.query('DROP TRIGGER refuse ON canvas_changes; DROP FUNCTION refuse_change');
  }
  const canvas = await ann.ask('project.canvas', own);
  expect([canvas.version, Object.keys(canvas.nodes)]).toEqual([2, ['a']]);
});

test('G6.03 the list names author, time and what changed, in groups and pages, and the earliest version is the canvas as it was at first', async () => {
  const own = await emptyProject();
  await save(own, 1, set(card('a')), set(card('b')), setLink(link('a', 'b')));
  await save(own, 2, set(card('a', { x: 40 })));
  await save(own, 3, set(card('b', { title: 'Renamed' })), remove('a'));
  const { items, ...page } = await ann.ask('project.versions', own);
  expect(page).toMatchObject({ next: null, current: 4, keepDays: 30, maxBytes: 1_048_576, trimmed: null });
  expect(page.bytes).toBeGreaterThan(0);
  expect(items).toMatchObject([
    { version: 4, from: 1, changes: 3, author: { name: expect.any(String) }, titles: ['Card a', 'Renamed', 'Card b'] },
    { version: 1, from: 1, changes: 0, author: null, at: null },
  ]);
  expect(items[0]?.counts).toEqual({ added: 2, removed: 1, changed: 1, moved: 1, linksAdded: 1, linksRemoved: 0, linksChanged: 0 });

  await ann.ask('project.putMark', { ...versionOf(own, 3), body: { name: 'Good one' } });
  const first = await ann.ask('project.versions', { ...own, query: { limit: 1 } });
  expect(first.items.map(({ version, from }) => [version, from])).toEqual([[4, 3]]);
  const second = await ann.ask('project.versions', { ...own, query: { limit: 1, before: first.next ?? 0 } });
  expect(second.items.map(({ version, mark }) => [version, mark?.name])).toEqual([[3, 'Good one']]);
  const rest = await ann.ask('project.versions', { ...own, query: { before: second.next ?? 0 } });
  expect(rest.items.map(({ version }) => version)).toEqual([1]);
});

test('G6.03 a project from before versions has the canvas as it is now for its first one', async () => {
  const own = await emptyProject();
  await save(own, 1, set(card('a')));
  await database.pool.query('DELETE FROM canvas_changes WHERE project_id = $1', [own.params.id]);
  expect((await ann.ask('project.versions', own)).items).toMatchObject([{ version: 2, from: 2, at: null, author: null }]);
  await save(own, 2, set(card('b')));
  expect(Object.keys((await ann.ask('project.version', versionOf(own, 2))).nodes)).toEqual(['a']);
  expect(await ann.refused('project.version', versionOf(own, 1))).toMatchObject({ status: 410, code: 'version_removed' });
});

test('G6.03 a save of an earlier server release beside this one hides the versions before, and no wrong version is shown', async () => {
  const own = await emptyProject();
  await save(own, 1, set(card('a')));
  await database.pool.query(`UPDATE projects SET canvas_version = 3 WHERE id = $1`, [own.params.id]);
  await database.pool.query(`DELETE FROM canvas_nodes WHERE project_id = $1`, [own.params.id]);
  await save(own, 3, set(card('b')));
  expect(Object.keys((await ann.ask('project.version', versionOf(own, 3))).nodes)).toEqual([]);
  expect(await ann.refused('project.version', versionOf(own, 2))).toMatchObject({ code: 'version_removed' });
});

test('G6.04 a version is marked, found by name, renamed and unmarked; a run marks the version that it begins with', async () => {
  const own = await emptyProject();
  await save(own, 1, set(card('a')));
  const body = { name: '  Two reviewers ', note: 'Worked on Friday' };
  expect(await ann.ask('project.putMark', { ...versionOf(own, 2), body })).toMatchObject({
    version: 2,
    kind: 'hand',
    name: 'Two reviewers',
  });
  await ann.ask('project.putMark', { ...versionOf(own, 1), body: { name: 'Empty' } });
  const found = async (search: string) =>
    (await ann.ask('project.versions', { ...own, query: { search } })).items.map(({ version, mark }) => [version, mark?.name]);
  expect(await found('REVIEW')).toEqual([[2, 'Two reviewers']]);
  expect(await found('friday')).toEqual([[2, 'Two reviewers']]);
  expect(await found('emp')).toEqual([[1, 'Empty']]);
  expect(await found('%')).toEqual([]);
  await ann.ask('project.putMark', { ...versionOf(own, 2), body: { name: 'Three reviewers' } });
  await ann.ask('project.removeMark', versionOf(own, 1));
  expect(await ann.refused('project.removeMark', versionOf(own, 1))).toMatchObject({ status: 404 });
  expect((await ann.ask('project.versions', own)).items.map(({ mark }) => mark?.name)).toEqual(['Three reviewers', undefined]);
});

test('G6.04 a run marks the version that it begins with, once', async () => {
  const own = await emptyProject();
  const version = await save(own, 1, set(card('a')));
  const [agent] = await ann.ask('agent.list');
  const step = { name: 'Write', agentId: agent?.id ?? '' };
  const pipeline = await ann.ask('pipeline.create', { body: { name: 'Line', projectId: own.params.id, steps: [step] } });
  const start = (task: string) => ann.ask('execution.start', { body: { pipelineId: pipeline.id, initialTask: task } });
  const run = await start('Build  a\n shop');
  await start('Again');
  expect(await ann.ask('execution.get', { params: { id: run.id } })).toMatchObject({ canvasVersion: version });
  expect((await ann.ask('project.versions', own)).items[0]?.mark).toMatchObject({ kind: 'run', name: 'Build a shop', executionId: run.id });
});

test('G6.05 versions that do not exist, are the same twice or are no numbers, and marks without a name, are refused with a reason', async () => {
  const own = await emptyProject();
  await save(own, 1, set(card('a')));
  for (const version of [0, -1, 1.5, 'two', 2_147_483_648, 1e30]) {
    expect(await ann.refused('project.version', versionOf(own, version))).toMatchObject({ status: 400, code: 'bad_request' });
    expect(await ann.refused('project.compareVersions', { ...own, query: { left: 1, right: version } })).toMatchObject({
      status: 400,
    });
  }
  expect(await ann.refused('project.version', versionOf(own, 3))).toMatchObject({ status: 404, message: expect.stringContaining('3') });
  expect(await ann.refused('project.compareVersions', { ...own, query: { left: 1, right: 3 } })).toMatchObject({ status: 404 });
  expect(await ann.refused('project.compareVersions', { ...own, query: { left: 2, right: 2 } })).toMatchObject({ status: 400 });
  expect(await ann.refused('project.putMark', { ...versionOf(own, 3), body: { name: 'None' } })).toMatchObject({ status: 404 });
  for (const name of ['', '   ', 'x'.repeat(10_000)]) {
    expect(await ann.refused('project.putMark', { ...versionOf(own, 2), body: { name } })).toMatchObject({ status: 400 });
  }
  expect(await ann.refused('project.putMark', { ...versionOf(own, 2), body: { name: 'x', note: 'y'.repeat(10_000) } })).toMatchObject({
    status: 400,
  });
});

test('G6.06 old versions are thinned to marked ones and the last of each day, which stay exact', async () => {
  const own = await emptyProject();
  const known: Canvas[] = [];
  for (let day = 3; day >= 0; day--) {
    for (let turn = 0; turn < 3; turn++) {
      const { version } = await ann.ask('project.canvas', own);
      await save(own, version, set(card(`card-${version}`)));
      known.push(await ann.ask('project.canvas', own));
    }
    // The saves so far become a day older; the last ones stay of today.
    if (day > 0) await ageBy(own, 1);
  }
  await ann.ask('project.putMark', { ...versionOf(own, 3), body: { name: 'Kept' } });
  // Days 3 to 1 with versions 2 to 4, 5 to 7 and 8 to 10; today 11 to 13.
  const before = new Date(Date.now() - 12 * 3_600_000);
  while (await thinVersions(pools.db, before));
  expect(await rowsOf('canvas_changes', own)).toEqual([3, 4, 7, 10, 11, 12, 13]);
  for (const version of [3, 4, 7, 10, 11, 12, 13]) {
    expect(await ann.ask('project.version', versionOf(own, version))).toEqual(known.find((canvas) => canvas.version === version));
  }
  for (const version of [2, 5, 9]) expect(await ann.refused('project.version', versionOf(own, version))).toMatchObject({ status: 410 });
  const { nodes } = await ann.ask('project.compareVersions', { ...own, query: { left: 4, right: 12 } });
  expect(nodes.map(({ id, left }) => [id, left])).toEqual([10, 11, 4, 5, 6, 7, 8, 9].map((version) => [`card-${version}`, undefined]));
  expect((await ann.ask('project.versions', own)).items.map(({ version }) => version)).toEqual([13, 10, 7, 4, 3]);

  await ann.ask('project.removeMark', versionOf(own, 3));
  expect(await rowsOf('canvas_changes', own)).toEqual([4, 7, 10, 11, 12, 13]);
  expect(await rowsOf('canvas_snapshots', own)).toEqual([4, 7, 10]);
});

const large = (title: string) =>
  Array.from({ length: 20 }, (_, index) => set(card(`${index}`, { description: `${title} ${'x'.repeat(3_900)}` })));

async function bytesOf(own: Project): Promise<{ counted: number; stored: number }> {
  const { rows } = await database.pool.query<{ counted: number; stored: number }>(
    `SELECT versions_bytes::int AS counted, (SELECT sum(bytes) FROM canvas_changes WHERE project_id = projects.id)::int
      + (SELECT coalesce(sum(bytes), 0) FROM canvas_snapshots WHERE project_id = projects.id)::int AS stored FROM projects WHERE id = $1`,
    [own.params.id],
  );
  return rows[0] as { counted: number; stored: number };
}

/** Waits until the versions of a project take no more than they may, and no removal is under way. */
const trimmed = (own: Project) =>
  // Versions are removed in the background, after the answer of a save.
  vi.waitFor(
    async () => {
      const { counted, stored } = await bytesOf(own);
      expect(counted).toBeLessThanOrEqual(1_048_576);
      expect(counted).toBe(stored);
    },
    { timeout: 60_000, interval: 50 },
  );

test('G6.07 what the versions of a project take is limited: the oldest go first, marked ones last, and the list says so', async () => {
  const own = await emptyProject();
  let version = await save(own, 1, set(card('large', { description: `0 ${'x'.repeat(3_900)}` })));
  await ann.ask('project.putMark', { ...versionOf(own, version), body: { name: 'First' } });
  for (let at = 0; at < 20; at++) version = await save(own, version, ...large(`${at}`));
  await trimmed(own);
  const { items, bytes, maxBytes, trimmed: newest } = await ann.ask('project.versions', own);
  expect(bytes).toBeLessThanOrEqual(maxBytes);
  expect(newest).toBeGreaterThan(2);
  expect(items.at(-1)).toMatchObject({ version: 2, mark: { name: 'First' } });
  expect(Object.keys((await ann.ask('project.version', versionOf(own, 2))).nodes)).toEqual(['large']);
  expect(await ann.refused('project.version', versionOf(own, 3))).toMatchObject({ code: 'version_removed' });
  expect((await ann.ask('project.version', versionOf(own, version - 1))).nodes['3']?.description).toMatch(/^18 /);
});

test('G6.07 a save does not wait for the removal of old versions, and one process at a time removes the versions of a project', async () => {
  const own = await emptyProject();
  const holder = await database.pool.connect();
  try {
    await holder.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`versions ${own.params.id}`]);
    let version = 1;
    for (let at = 0; at < 7; at++) version = await save(own, version, ...large(`${at}`));
    const { counted } = await bytesOf(own);
    expect(counted).toBeGreaterThan(1_048_576);
    expect(await rowsOf('canvas_changes', own)).toEqual([2, 3, 4, 5, 6, 7, 8]);
  } finally {
    await holder.query('SELECT pg_advisory_unlock_all()');
    holder.release();
  }
  await trimmed(own);
  expect((await rowsOf('canvas_changes', own)).at(-1)).toBe(8);
});

test('G6.07 no transaction rebuilds more than a few versions, whether too much is stored or it is old, and all that are marked stay exact', async () => {
  await database.pool.query('CREATE TABLE rebuilt (project_id uuid, version integer, at xid8 DEFAULT pg_current_xact_id())');
  await database.pool.query(`CREATE FUNCTION note_snapshot() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO rebuilt (project_id, version) VALUES (NEW.project_id, NEW.version); RETURN NULL; END $$`);
  await database.pool.query('CREATE TRIGGER note AFTER INSERT ON canvas_snapshots FOR EACH ROW EXECUTE FUNCTION note_snapshot()');
  try {
    for (const removal of ['too much', 'old']) {
      const own = await emptyProject();
      let version = 1;
      const known: Canvas[] = [];
      for (let at = 0; at < 12; at++) {
        version = await save(own, version, set(card(`${at}`)));
        await ann.ask('project.putMark', { ...versionOf(own, version), body: { name: `Mark ${at}` } });
        known.push(await ann.ask('project.canvas', own));
      }
      if (removal === 'too much') {
        for (let at = 0; at < 7; at++) version = await save(own, version, ...large(`${at}`));
        await trimmed(own);
      } else {
        await ageBy(own, 40);
        const before = new Date(Date.now() - 30 * 24 * 3_600_000);
        while (await thinVersions(pools.db, before));
      }
      const { rows } = await database.pool.query<{ most: number; all: number }>(
        `SELECT max(count)::int AS most, sum(count)::int AS all FROM (SELECT count(*) FROM rebuilt WHERE project_id = $1 GROUP BY at) AS one`,
        [own.params.id],
      );
      expect([removal, rows[0]?.all]).toEqual([removal, removal === 'old' ? 11 : 12]);
      expect(rows[0]?.most).toBeLessThanOrEqual(3);
      for (const canvas of known) expect(await ann.ask('project.version', versionOf(own, canvas.version))).toEqual(canvas);
      const { counted, stored } = await bytesOf(own);
      expect(counted).toBe(stored);
    }
  } finally {
    await database.pool.query('DROP TRIGGER note ON canvas_snapshots; DROP FUNCTION note_snapshot; DROP TABLE rebuilt');
  }
});

test('G6.07 a failure of the removal is reported, the next request tries again, and a close ends after the batch that is under way', async () => {
  const own = await emptyProject();
  for (let version = 1; version < 6; ) version = await save(own, version, ...large(`${version}`));
  const { counted } = await bytesOf(own);
  const failures: unknown[] = [];
  const deps = { db: pools.db, maxBytes: Math.floor(counted / 2), onFailed: (error: unknown) => void failures.push(error) };
  await database.pool.query(`CREATE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
  await database.pool.query('CREATE TRIGGER refuse BEFORE DELETE ON canvas_changes FOR EACH ROW EXECUTE FUNCTION refuse_removal()');
  const one = new VersionTrimming(deps);
  try {
    await one.trim(own.params.id);
    expect(failures).toHaveLength(1);
    expect(await bytesOf(own)).toEqual({ counted, stored: counted });
  } finally {
    await database.pool.query('DROP TRIGGER refuse ON canvas_changes; DROP FUNCTION refuse_removal');
  }
  const closed = new VersionTrimming(deps);
  void closed.trim(own.params.id);
  await closed.close();
  const left = await bytesOf(own);
  expect(left.counted).toBe(left.stored);
  await closed.trim(own.params.id);
  expect(await bytesOf(own)).toEqual(left);

  await one.trimOversized();
  const rest = await bytesOf(own);
  expect(rest.counted).toBeLessThanOrEqual(counted / 2);
  expect([rest.counted, failures.length]).toEqual([rest.stored, 1]);
});
