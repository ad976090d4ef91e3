import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect } from 'vitest';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { ReleasedTeam } from '../../../contract/released-team.ts';
import type { CreatedTrigger, ForgeSettings, TriggerDetails } from '../../../contract/trigger.ts';
import type { KnownForge } from '../../../server/platform/git/forge-calls.ts';
import type { ForgeNumber } from '../../../server/platform/git/forges/forge.ts';
import type { RunAccount } from '../run-account.ts';
import type { ModelCall, Reply } from '../services/model-server.ts';
import { PlayedForge } from './played-forge.ts';

export const label = 'artel';
/** What a reviewer asks for, and what the scripted developer then does. */
export const wish = 'Please round the days.';

/** A forge with a small library, one of whose tests fails. `manifest`: its package.json. */
export async function startLibraryForge(kind: KnownForge, manifest: object = { type: 'module' }): Promise<PlayedForge> {
  const forge = await PlayedForge.start(kind);
  await forge.commit(
    {
      'package.json': `${JSON.stringify(manifest)}\n`,
      'src/days.js': 'export const daysBetween = (from, to) => (to - from) / 3_600_000;\n',
      'test/days.test.js': [
        "import { equal } from 'node:assert/strict';",
        "import { test } from 'node:test';",
        "import { daysBetween } from '../src/days.js';",
        "test('counts days', () => equal(daysBetween(new Date('2026-01-01'), new Date('2026-01-03')), 2));",
        '',
      ].join('\n'),
    },
    'Begin',
  );
  return forge;
}

const edits = [
  { when: wish, old: '(to - from) / 86_400_000', new: 'Math.round((to - from) / 86_400_000)' },
  { when: '', old: '3_600_000', new: '86_400_000' },
];

/** A model that mends the library: it edits the file, has the tests run, and says what came of that. */
export function mendLibrary({ body }: ModelCall): Reply {
  const texts = body.messages.map(({ content }) => JSON.stringify(content)).join('\n');
  const edit = edits.find(({ when }) => texts.includes(when));
  const results = body.messages.filter(({ role }) => role === 'tool');
  if (results.length > 0) return { kind: 'text', text: 'The days are right now.' };
  const calls: [string, object][] = [
    ['edit_file', { path: 'src/days.js', old: edit?.old, new: edit?.new }],
    ['run_tests', {}],
  ];
  return { kind: 'calls', calls: calls.map(([name, args], at) => ({ id: `call_${at}`, name, arguments: JSON.stringify(args) })) };
}

/** Publishes to the forge, releases a team, of one developer unless another is given, and has it work for labels of the forge. */
export async function addForgeTrigger(
  ann: RunAccount,
  forge: PlayedForge,
  { pipeline, testCommand = 'node --test', ...settings }: Partial<ForgeSettings> & { pipeline?: Pipeline; testCommand?: string } = {},
): Promise<CreatedTrigger> {
  const target = { url: forge.url, baseBranch: 'main', forge: forge.kind, token: forge.token };
  expect((await ann.call('PUT', '/project/default/git-target', target)).status).toBe(200);
  expect((await ann.call('PUT', '/project/default', { testCommand })).status).toBe(200);
  const work = { fileAccess: 'write', runsTests: true };
  expect((await ann.call('PUT', `/nuroagent/${ann.agent('developer').id}/api-configuration`, { work })).status).toBe(200);
  const { id: pipelineId } = pipeline ?? (await ann.pipeline('developer'));
  const release = { pipelineId, slug: `mend-${randomUUID().slice(0, 8)}`, title: 'Mend', task: 'Mend what the issue says.' };
  const { status, body: team } = await ann.call<ReleasedTeam>('POST', '/project/default/released-teams', release);
  expect([status, team]).toMatchObject([201, {}]);
  const given = { name: 'Issues', teamId: team.id, budget: { tokens: 10_000_000 }, settings: { kind: 'forge', label, ...settings } };
  const created = await ann.call<CreatedTrigger>('POST', '/project/default/triggers', given);
  expect([created.status, created.body]).toMatchObject([201, { kind: 'forge' }]);
  forge.addHook(created.body.address ?? '', created.body.secret ?? '');
  return created.body;
}

/** The words of the one comment that is kept on an issue; null while there is none. Throws where there are more. */
export function keptComment(forge: PlayedForge, issue: ForgeNumber): string | null {
  const kept = forge.comments(issue).filter(({ text }) => text.includes('<!-- artel:'));
  expect(kept.length).toBeLessThanOrEqual(1);
  return kept[0]?.text ?? null;
}

export async function triggerDetails(ann: RunAccount, { id }: { id: string }): Promise<TriggerDetails> {
  return (await ann.call<TriggerDetails>('GET', `/project/default/triggers/${id}`)).body;
}

/**
 * The state of an issue as the server has stored it, the one that changed last by default. To look for it by the API takes the server twenty statements.
 */
export async function storedState(
  pool: Pick<pg.Pool, 'query'>,
  { id }: { id: string },
  number: number | null = null,
): Promise<string | undefined> {
  const { rows } = await pool.query<{ state: string }>(
    'SELECT state FROM forge_threads WHERE trigger_id = $1 AND number = coalesce($2, number) ORDER BY updated_at DESC LIMIT 1',
    [id, number],
  );
  return rows[0]?.state;
}

/** When the repository of a trigger was read last; null before. */
export async function lastReading(pool: Pick<pg.Pool, 'query'>, { id }: { id: string }): Promise<number | null> {
  const { rows } = await pool.query<{ readAt: Date | null }>('SELECT read_at AS "readAt" FROM forge_readings WHERE trigger_id = $1', [id]);
  return rows[0]?.readAt?.getTime() ?? null;
}
