import { expect, type Page } from 'playwright/test';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { translate } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import { type Caller, callerOf } from '../../support/call-api.ts';

const server = setUpSharedServer();

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

/** A point of the screen without cards and panels. */
const empty = { x: 820, y: 640 };

/** Opens two tabs of one user: the first project of a new account, and a second, empty project. */
async function twoProjects(page: Page) {
  await enterWorkspace(page, server.url);
  const first = await new WorkspacePage(page).opened();
  await first.saved();
  const caller = callerOf(server.url, (await page.evaluate(() => localStorage.getItem('accessToken'))) ?? undefined);
  const other = await caller.ask('project.create', { body: { name: 'Второй магазин', description: '' } });
  const tab = await page.context().newPage();
  await tab.goto(`${server.url}/test-project?projectId=${other.id}`);
  await expect(tab.getByTestId('project-bar')).toContainText('Второй магазин');
  await expect(tab.getByTestId('empty-canvas')).toBeVisible();
  return { first, second: new WorkspacePage(tab), tab, caller, otherId: other.id };
}

async function canvasOf(caller: Caller, id: string) {
  const { nodes, connections } = await caller.ask('project.canvas', { params: { id } });
  return { nodes: Object.values(nodes), links: Object.values(connections) };
}

test('R37.01 a team that is copied in one project is pasted and saved in another, where each card takes a free agent', {
  tag: '@rest',
}, async ({ page }) => {
  const { first, second, tab, caller, otherId } = await twoProjects(page);
  const source = await canvasOf(caller, 'default');
  await page.bringToFront();
  await page.mouse.click(empty.x, empty.y);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');

  await tab.bringToFront();
  await tab.mouse.move(empty.x, empty.y);
  await tab.keyboard.press('Control+v');
  await expect(second.cards()).toHaveCount(source.nodes.length);
  await expect(second.links()).toHaveCount(source.links.length);
  await second.saved();
  const pasted = await canvasOf(caller, otherId);
  const titles = (nodes: { title: string }[]) => nodes.map(({ title }) => title).sort();
  expect(titles(pasted.nodes)).toEqual(titles(source.nodes));
  // New cards for the user's agents: the other canvas had no card of these agents.
  const ids = new Set(source.nodes.map(({ id }) => id));
  expect(pasted.nodes.filter(({ id }) => ids.has(id))).toEqual([]);
  const agents = (nodes: typeof source.nodes) => nodes.flatMap(({ type, serverAgentId }) => (type === 'agent' ? serverAgentId : [])).sort();
  expect(agents(pasted.nodes)).toEqual(agents(source.nodes));
  const pairs = ({ nodes, links }: typeof source) => {
    const titleOf = new Map(nodes.map(({ id, title }) => [id, title]));
    return links.map(({ from, to }) => `${titleOf.get(from.agentId)} ${titleOf.get(to.agentId)}`).sort();
  };
  expect(pairs(pasted)).toEqual(pairs(source));

  // At the second paste no agent is free: the new cards bring copies.
  await tab.keyboard.press('Control+v');
  await expect(second.cards()).toHaveCount(2 * source.nodes.length);
  await second.saved();
  const addedAgain = (await canvasOf(caller, otherId)).nodes.filter(({ id }) => !pasted.nodes.some((node) => node.id === id));
  expect(addedAgain.flatMap(({ type, title }) => (type === 'agent' ? title : [])).sort()).toEqual(
    source.nodes.flatMap(({ type, title }) => (type === 'agent' ? `${title} 2` : [])).sort(),
  );
  expect(agents(addedAgain).filter((id) => agents(source.nodes).includes(id))).toEqual([]);

  await tab.keyboard.press('Control+z');
  await expect(second.cards()).toHaveCount(source.nodes.length);
  await second.saved();
  await tab.reload();
  await expect(second.cards()).toHaveCount(source.nodes.length);
  expect(await canvasOf(caller, 'default')).toEqual(source);
  await expect(first.cards()).toHaveCount(source.nodes.length);
});

test('R37.01 a cut in one project and a paste in another move the cards, and each is undone in its own project', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const { first, second, tab } = await twoProjects(page);
  await page.bringToFront();
  await first.card('Тимлид').focus();
  await page.keyboard.press('Control+x');
  await expect(first.card('Тимлид')).toHaveCount(0);
  await tab.bringToFront();
  await tab.mouse.move(empty.x, empty.y);
  await tab.keyboard.press('Control+v');
  await expect(second.card('Тимлид')).toHaveCount(1);
  await expect(tab.getByTestId('empty-canvas')).toHaveCount(0);
  await page.bringToFront();
  await page.keyboard.press('Control+z');
  await expect(first.card('Тимлид')).toHaveCount(1);
  await expect(first.links()).toHaveCount(6);
  await expect(second.card('Тимлид')).toHaveCount(1);
});

test('W5.05 a text of cards with mistakes is not pasted at all: every mistake is listed, and nothing is sent', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const { second, tab, caller, otherId } = await twoProjects(page);
  const nodes = [
    { id: 'n1', type: 'agent', title: 'Тимлид', x: 0, y: 0 },
    { id: 'n1', type: 'agent', title: 'Тестировщик', x: 420, y: 0 },
    { id: 'n2', type: 'robot', title: 'Робот', x: '3', y: 0 },
  ];
  const link = (id: string, from: string, to: string) => ({ id, from: { agentId: from, port: 'out' }, to: { agentId: to, port: 'in' } });
  const text = JSON.stringify({ nodes, connections: [link('l1', 'n1', 'n1'), link('l2', 'n1', 'missing')] });
  await tab.bringToFront();
  await tab.evaluate((given) => navigator.clipboard.writeText(given), text);
  await tab.mouse.move(empty.x, empty.y);
  await tab.keyboard.press('Control+v');
  const list = tab.getByTestId('refused-cards');
  const mistake = (key: string, values: Record<string, string | number>) => translate('ru', 'errors', `clip.${key}`, values);
  await expect(list.getByRole('listitem')).toHaveText([
    mistake('cardDuplicate', { number: 2, name: 'Тестировщик', id: 'n1' }),
    mistake('cardField', { number: 3, name: 'Робот', field: 'type, x' }),
    mistake('linkSelf', { number: 1, id: 'n1' }),
    mistake('linkEnd', { number: 2, id: 'missing' }),
  ]);
  await expect(tab.getByRole('dialog')).toContainText('4 ошибки');
  await tab.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await expect(second.cards()).toHaveCount(0);
  expect((await canvasOf(caller, otherId)).nodes).toEqual([]);

  // The same cards without the mistakes.
  await tab.evaluate((given) => navigator.clipboard.writeText(given), JSON.stringify({ nodes: nodes.slice(0, 1), connections: [] }));
  await tab.keyboard.press('Control+v');
  await expect(second.card('Тимлид')).toHaveCount(1);
  await second.saved();
});
