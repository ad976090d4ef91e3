import { expect, test } from 'vitest';
import { ApiError } from '../../../src/api/api-error.ts';
import type { Api } from '../../../src/api/create-api.ts';
import { TeamStore } from '../../../src/app/released-teams/team-store.ts';

/** A store whose calls are answered by these functions, one for each operation, and the names of its calls. */
function storeWith(answers: Record<string, (sent: { body?: unknown }) => unknown>) {
  const called: string[] = [];
  const call = async (name: string, sent: { body?: unknown }) => {
    called.push(name);
    return answers[name]?.(sent);
  };
  return { called, store: new TeamStore({ call } as unknown as Api, 'a project') };
}

const pipeline = { name: 'Team', projectId: 'default', steps: [], canvasVersion: 7 };
const team = { id: 'a', slug: 'notes' };
const refused = (code: string, status: number) => {
  throw new ApiError({ status, code, message: code });
};

test('K4.14 a release names the pipeline and the canvas that it was made from', async () => {
  const sent: unknown[] = [];
  const { store, called } = storeWith({
    'pipeline.create': () => ({ id: 'p' }),
    'releasedTeam.release': ({ body }) => void sent.push(body),
    'releasedTeam.list': () => [team],
  });
  expect(await store.release(pipeline, { slug: 'notes', title: 'Notes' })).toBe(true);
  expect(sent).toEqual([{ slug: 'notes', title: 'Notes', pipelineId: 'p', canvasVersion: 7 }]);
  expect(called).toEqual(['pipeline.create', 'releasedTeam.release', 'releasedTeam.list']);
  expect(store.get().teams).toEqual([team]);
});

test('K4.14 a refused release says so and shows no team; a withdrawal of a team that is gone is done', async () => {
  let listed = [team];
  const { store } = storeWith({
    'pipeline.create': () => ({ id: 'p' }),
    'releasedTeam.release': () => refused('slug_taken', 409),
    'releasedTeam.list': () => listed,
    'releasedTeam.withdraw': () => refused('not_found', 404),
  });
  await store.load();
  expect(await store.release(pipeline, { slug: 'notes', title: 'Notes' })).toBe(false);
  expect(store.get()).toMatchObject({ problem: { code: 'slug_taken' }, teams: [team], isBusy: false });
  listed = [];
  expect(await store.withdraw('a')).toBe(true);
  expect(store.get()).toMatchObject({ problem: null, teams: [] });
});
