import { expect, test } from 'vitest';
import type { Api } from '../../../src/api/create-api.ts';
import { useTeams } from '../../../src/app/released-teams/use-teams.ts';
import { hookOn, type PlayedAnswers, refuse } from '../../support/played-data.ts';

const api = { call: async () => ({ runId: 'r' }) } as unknown as Api;

/** The released teams on a server that answers with these functions, one for each route. */
async function teamsOn(answers: PlayedAnswers) {
  const part = hookOn(answers, () => useTeams('a project', api));
  await expect.poll(() => part.get().list.loading).toBe(false);
  return part;
}

const pipeline = { name: 'Team', projectId: 'default', steps: [], canvasVersion: 7 };
const team = { id: 'a', slug: 'notes' };

test('K4.14 a release names the pipeline and the canvas that it was made from', async () => {
  const sent: unknown[] = [];
  let listed: unknown[] = [];
  const { get, calls } = await teamsOn({
    'pipeline.create': () => ({ id: 'p' }),
    'releasedTeam.release': ({ body }) => {
      sent.push(body);
      listed = [team];
    },
    'releasedTeam.list': () => listed,
  });
  expect(await get().release(pipeline, { slug: 'notes', title: 'Notes' })).not.toBeNull();
  expect(sent).toEqual([{ slug: 'notes', title: 'Notes', pipelineId: 'p', canvasVersion: 7 }]);
  expect(calls).toEqual(['releasedTeam.list', 'pipeline.create', 'releasedTeam.release', 'releasedTeam.list']);
  expect(get().list.value).toEqual([team]);
});

test('K4.14 a refused release says so and shows no team; a withdrawal of a team that is gone is done', async () => {
  let listed = [team];
  const { get } = await teamsOn({
    'pipeline.create': () => ({ id: 'p' }),
    'releasedTeam.release': refuse('slug_taken'),
    'releasedTeam.list': () => listed,
    'releasedTeam.withdraw': refuse('not_found'),
  });
  expect(await get().release(pipeline, { slug: 'notes', title: 'Notes' })).toBeNull();
  await expect.poll(() => get()).toMatchObject({ problem: { code: 'slug_taken' }, list: { value: [team] }, isBusy: false });
  listed = [];
  expect(await get().withdraw('a')).toBe(true);
  expect(get()).toMatchObject({ problem: null, list: { value: [] } });
});

test('K4.14 a run that the form of the page has started is among the calls of the team that is open', async () => {
  let started: unknown[] = [];
  const { get } = await teamsOn({ 'releasedTeam.list': () => [team], 'releasedTeam.get': () => ({ ...team, calls: started }) });
  get().open('a');
  await expect.poll(() => get().details).toMatchObject({ calls: [] });
  started = [{ runId: 'r' }];
  expect(await get().start('notes', new FormData())).not.toBeNull();
  expect(get().details).toMatchObject({ calls: [{ runId: 'r' }] });
});
