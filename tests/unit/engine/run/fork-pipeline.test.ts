import { beforeEach, expect, test } from 'vitest';
import { FakeServer } from '../../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../../support/engine/fresh-browser.ts';
import { chainDocument } from '../../../support/engine/samples.ts';
import { type Browser, Tab } from '../../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;
let tab: Tab;
let executionId: string;

beforeEach(async () => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
  tab = await new Tab(browser, server).open();
  await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Build a shop' });
  executionId = server.runs[0]?.execution.id ?? '';
  await tab.does({ type: 'run.stop' });
  await browser.clock.pass(3_000);
});

const store = async () => {
  const outcome = await tab.does({ type: 'run.storeForkPipeline', executionId });
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value?.pipelineId ?? null;
};

test('G5.02 the canvas as it is now is the pipeline of a fork, stored once until an edit, and removed when no fork takes it', async () => {
  const before = server.pipelines.size;
  const first = await store();
  expect(server.pipelines.get(first ?? '')?.steps.map(({ nodeId }) => nodeId)).toEqual(['a', 'b', 'c']);
  expect(await store()).toBe(first);
  await tab.does({ type: 'selection.remove', nodeIds: ['c'], connectionIds: [] });
  const second = await store();
  expect(second).not.toBe(first);
  expect(server.pipelines.get(second ?? '')?.steps.map(({ nodeId }) => nodeId)).toEqual(['a', 'b']);
  expect(server.pipelines.has(first ?? '')).toBe(false);
  await tab.does({ type: 'run.dropForkPipeline' });
  expect(server.pipelines.size).toBe(before);
});

test('G5.02 a canvas that cannot run makes no pipeline, and one without the cards of the run leaves the run its own', async () => {
  await tab.does({ type: 'selection.remove', nodeIds: ['a', 'b', 'c'], connectionIds: [] });
  expect(await store()).toBeNull();
  await tab.does({ type: 'history.undo' });
  server.runs[0]?.steps.splice(0, 99);
  expect(await store()).toBeNull();
});
