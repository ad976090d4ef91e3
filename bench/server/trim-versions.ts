import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ProjectService } from '../../server/modules/projects/service.ts';
import { keptVersions } from '../../server/modules/projects/versions/state-at.ts';
import { trimVersions } from '../../server/modules/projects/versions/trim-versions.ts';
import { asOwner } from '../../server/platform/owner-id.ts';
import { openTestDatabase } from '../../tests/support/open-test-database.ts';

/**
 * Measures the removal of the oldest quarter of a project's versions, which are many and tiny, and how long saves of the same project take
 * meanwhile (ms). An argument sets the number of versions.
 */
const count = Number(process.argv[2] ?? 250_000);
/** What one stored version takes, as it is counted (bytes). */
const bytesOfOne = 700;
const savePauseMs = 20;

const database = await openTestDatabase();
const { db, pool } = database;
const [author, projectId] = [randomUUID(), randomUUID()];
await pool.query(`INSERT INTO users (id, email, name, password_hash) VALUES ($1, 'ann@example.com', 'Ann', 'none')`, [author]);
await pool.query(
  `INSERT INTO projects (id, user_id, name, description, status, canvas_version, versions_bytes) VALUES ($1, $2, 'P', '', 'active', $3, $4)`,
  [projectId, author, count + 1, count * bytesOfOne],
);
const patch = (x: string) =>
  `jsonb_build_array(jsonb_build_object('op', 'set', 'collection', 'nodes', 'id', 'a', 'value', jsonb_build_object('id', 'a', 'x', ${x})))`;
await pool.query(
  `INSERT INTO canvas_changes (project_id, version, patches, inverse, author, client_id, at, counts, titles, bytes)
    SELECT $1, v, ${patch('v')}, ${patch('v - 1')}, $2, 'tab', now() - make_interval(secs => $3 - v), '{}', '{A}', $4
    FROM generate_series(2, $3::integer + 1) v`,
  [projectId, author, count, bytesOfOne],
);
await pool.query(`INSERT INTO canvas_nodes (project_id, id, value) VALUES ($1, 'a', '{"id": "a", "x": 1}')`, [projectId]);
await pool.query('ANALYZE');

const projects = new ProjectService({
  ...{ db, reads: database.reads, announce: () => {}, announceChange: () => {} },
  ...{ maxVersionsBytes: Number.POSITIVE_INFINITY, maxProjects: 1, trimVersions: async () => {} },
});
const writer = { userId: asOwner(author), clientId: 'tab', storeIdempotentResponse: async () => {} };
let version = count + 1;
const save = () =>
  timeOf(async () => {
    const value = { id: 'a', type: 'start' as const, title: 'A', x: version + 1, y: 0 };
    ({ version } = await projects.patchCanvas(writer, projectId, version, [{ op: 'set', collection: 'nodes', id: 'a', value }]));
  });
const times = async (work: () => Promise<number>, many: number) => {
  const all: number[] = [];
  for (let at = 0; at < many; at += 1) all.push(await work());
  return all;
};

const before = await times(save, 30);
const found = await times(() => timeOf(() => keptVersions(db, projectId)), 5);
const meanwhile: number[] = [];
let isTrimming = true;
const saving = (async () => {
  while (isTrimming) {
    meanwhile.push(await save());
    await wait(savePauseMs);
  }
})();
const trimMs = await timeOf(() => trimVersions(database.work.db, projectId, count * bytesOfOne - 1, new AbortController().signal));
isTrimming = false;
await saving;
console.log(
  JSON.stringify({
    versions: count,
    ...{ saveBefore: figures(before), keptVersions: figures(found), trimMs: Math.round(trimMs), saveMeanwhile: figures(meanwhile) },
  }),
);
await database.remove();

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function figures(all: readonly number[]) {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}
