import { expect, test } from 'vitest';
import { questionOperations } from '../../../contract/operations/question.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument } from '../../support/engine/samples.ts';
import { Tab } from '../../support/engine/tab.ts';

const [question] = questionOperations['question.list'].example.response;

test('G2.04 a command creates the link of a question; that of an unknown question is refused without a notice', async () => {
  if (!question) throw new Error('The example has no question.');
  const server = new FakeServer(chainDocument());
  server.questions = [question];
  const tab = await new Tab(freshBrowser(), server).open();
  const created = await tab.does({ type: 'question.createLink', id: question.id });
  expect(created).toEqual({ ok: true, value: { linkPath: `/q/of-${question.id}` } });
  expect(await tab.does({ type: 'question.createLink', id: 'another' })).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(tab.state.notices).toEqual([]);
});
