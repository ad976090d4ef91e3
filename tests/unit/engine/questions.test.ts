import { expect, test } from 'vitest';
import { operations } from '../../../contract/operations/operations.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument, uuid } from '../../support/engine/samples.ts';
import { Tab } from '../../support/engine/tab.ts';

const [question] = operations['question.list'].example.response;

test('G2.04 a call creates the link of a question; that of an unknown question is refused without a notice', async () => {
  if (!question) throw new Error('The example has no question.');
  const server = new FakeServer(chainDocument());
  server.questions = [question];
  const tab = await new Tab(freshBrowser(), server).open();
  const createLink = (id: string) => tab.engine.call('question.createLink', { params: { id } });
  expect(await createLink(question.id)).toMatchObject({ ok: true, value: { path: `/q/of-${question.id}` } });
  expect(await createLink('another')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(tab.state.notices).toEqual([]);
});

test('G2.01 a question of another project brings the name of that project, asked for once', async () => {
  if (!question) throw new Error('The example has no question.');
  const server = new FakeServer(chainDocument());
  const [project] = server.projects;
  if (!project) throw new Error('The server has no project.');
  const other = { ...project, id: uuid(7, 9), name: 'Second shop' };
  server.projects.push(other);
  server.questions = [
    { ...question, projectId: other.id },
    { ...question, id: uuid(8, 9), projectId: uuid(9, 9) },
  ];
  const browser = freshBrowser();
  const tab = await new Tab(browser, server).open();
  await expect.poll(() => tab.state.projects.items.map(({ name }) => name)).toContain('Second shop');
  const before = tab.state.projects;
  await tab.does({ type: 'questions.load' });
  expect(tab.state.projects).toBe(before);
});
