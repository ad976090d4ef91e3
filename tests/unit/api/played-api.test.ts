import { expect, test } from 'vitest';
import { answersOf, firstCanvas, makeAccount } from '../../support/browser/played-api/new-account.ts';
import { PlayedApi, Refused } from '../../support/browser/played-api/played-api.ts';

const call = (method: string, path: string, body: unknown = null) => ({
  ...{ method, url: `http://127.0.0.1/api${path}` },
  body: body === null ? null : Buffer.from(JSON.stringify(body)),
});

test('a played API answers by the route table: literal paths before parameters, in any case, with the status of the contract', async () => {
  const api = new PlayedApi('http://127.0.0.1');
  const account = await makeAccount('en');
  api.answer({ ...answersOf(account), 'project.active': () => [] });
  expect(await api.reply(call('GET', '/Project/ACTIVE'))).toMatchObject({ status: 200, json: [], headers: { 'x-total-count': '0' } });
  expect(await api.reply(call('GET', '/project/default'))).toMatchObject({ status: 200, json: { name: account.projects[0]?.name } });
  expect(await api.reply(call('POST', '/project', { name: 'Second' }))).toMatchObject({ status: 201, json: { description: '' } });
  expect(await api.reply(call('POST', '/auth/logout'))).toEqual({ status: 204 });
  expect(api.calls).toEqual(['project.active', 'project.get', 'project.create', 'auth.logout']);
  expect(api.faults).toEqual([]);
});

test('a played API names a call that the contract refuses, a call without an answer, and an answer or a refusal that the contract does not have', async () => {
  const api = new PlayedApi('http://127.0.0.1');
  api.answer({
    'project.create': () => ({ name: 'No project' }) as never,
    'project.list': () => {
      throw new Refused('work_gone');
    },
    'auth.login': () => {
      throw new Refused('invalid_credentials');
    },
  });
  expect((await api.reply(call('POST', '/auth/login', { email: 'a@example.com', password: 'x' }))).status).toBe(401);
  expect(api.faults).toEqual([]);
  expect((await api.reply(call('POST', '/auth/login', { email: 'a@example.com' }))).status).toBe(500);
  expect((await api.reply(call('POST', '/project', { name: 'Second' }))).status).toBe(500);
  expect((await api.reply(call('GET', '/project'))).status).toBe(409);
  expect((await api.reply(call('GET', '/storage'))).status).toBe(404);
  expect((await api.reply(call('GET', '/no-such-path'))).status).toBe(404);
  expect(api.faults).toEqual([
    expect.stringContaining('auth.login: '),
    expect.stringContaining('project.create: '),
    'contract/failures.ts has no work_gone of project.list',
    'storage.get has no answer',
    'GET http://127.0.0.1/api/no-such-path is no route',
  ]);
});

test('a played account is the one that a sign-up gets, and refuses a save of a canvas that was saved since', async () => {
  const api = new PlayedApi('http://127.0.0.1');
  const account = await makeAccount('ru');
  api.answer(answersOf(account));
  expect(account.agents).toHaveLength(7);
  expect(Object.keys(firstCanvas(account).nodes)).toHaveLength(7);
  const [id = ''] = Object.keys(firstCanvas(account).nodes);
  const removal = { baseVersion: 1, patches: [{ op: 'remove', collection: 'nodes', id }] };
  expect(await api.reply(call('PATCH', '/project/default/canvas', removal))).toMatchObject({ status: 200, json: { version: 2 } });
  expect(await api.reply(call('PATCH', '/project/default/canvas', removal))).toMatchObject({ status: 409, json: { code: 'canvas_stale' } });
  expect(Object.keys(firstCanvas(account).nodes)).toHaveLength(6);
  expect(api.faults).toEqual([]);
});
