import { readFile } from 'node:fs/promises';
import { expect, type Page } from 'playwright/test';
import { translate, translator } from '../../support/browser/translate.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';
import { test } from '../../support/canvas/canvas-test.ts';

const heap = { a: { x: 900, y: 500 }, b: { x: 0, y: 100 }, c: { x: 40, y: 60 }, d: { x: 2_000, y: 0 } };
const chain: [string, string][] = [
  ['a', 'b'],
  ['b', 'c'],
];

async function choose(page: Page, action: string): Promise<void> {
  const name = translate('ru', 'actions', `name.${action}`);
  const palette = page.getByTestId('palette');
  await page.keyboard.press('Control+k');
  // The first opening loads the palette.
  await palette.getByRole('combobox').fill(name);
  await expect(palette.getByRole('option', { selected: true })).toContainText(name);
  await page.keyboard.press('Enter');
  await expect(palette).toHaveCount(0);
}

test('W2.05 all or only the selected cards are laid out along their links, and one undo restores their places', { tag: '@rest' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).show(heap, chain);
  await canvas.click({ x: 620, y: 600 });
  await page.keyboard.press('Alt+l');
  await expect.poll(async () => (await canvas.at('b')).x - (await canvas.at('a')).x).toBe(400);
  const [a, b, c] = [await canvas.at('a'), await canvas.at('b'), await canvas.at('c')];
  expect(c.x - b.x).toBe(400);
  expect([b.y, c.y]).toEqual([a.y, a.y]);
  await page.keyboard.press('Control+z');
  await expect.poll(() => canvas.at('a')).toEqual(heap.a);
  await expect.poll(() => canvas.at('c')).toEqual(heap.c);
});

test('W2.05 the canvas is saved to a file and loaded again, next to the existing cards or in their place', { tag: '@rest' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).show(heap, chain);
  const download = page.waitForEvent('download');
  await choose(page, 'saveJson');
  const path = await (await download).path();
  const saved = JSON.parse(await readFile(path, 'utf8'));
  expect(saved.nodes).toHaveLength(4);
  expect(saved.connections).toHaveLength(2);
  await canvas.card('d').focus();
  await page.keyboard.press('Delete');
  await canvas.expectCards('a', 'b', 'c');

  const cards = page.locator('[data-testid="canvas-outline"] [data-node-id]');
  const open = async (button: string) => {
    const chooser = page.waitForEvent('filechooser');
    await choose(page, 'openJson');
    await (await chooser).setFiles(path);
    await expect(page.getByTestId('import')).toContainText('4 карточки, 2 связи');
    await expect(page.getByRole('button', { name: translate('ru', 'words', 'add') })).toBeFocused();
    await page.getByRole('button', { name: translator('ru', 'actions', 'import.')(button) }).click();
    await expect(page.getByTestId('import')).toHaveCount(0);
  };
  await open('words:add');
  await expect(cards).toHaveCount(7);
  await page.keyboard.press('Control+z');
  await expect(cards).toHaveCount(3);
  await open('replace');
  await expect(cards).toHaveCount(4);
  await expect(page.locator('[data-testid="canvas-outline"] [data-link-id]')).toHaveCount(2);
  await page.keyboard.press('Control+z');
  await canvas.expectCards('a', 'b', 'c');
});

test('W2.05 a file with mistakes is not loaded at all, and each mistake is listed', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(heap);
  const chooser = page.waitForEvent('filechooser');
  await choose(page, 'openJson');
  const nodes = [
    { id: 'x', type: 'agent', title: 'Годная', x: 0, y: 0 },
    { id: 'y', type: 'wizard', title: 'Чужая', x: 'left', y: 0 },
  ];
  const connections = [{ id: 'l', from: { agentId: 'x', port: 'out' }, to: { agentId: 'missing', port: 'in' } }];
  await (await chooser).setFiles({
    name: 'bad.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ nodes, connections })),
  });
  const question = page.getByTestId('import');
  await expect(question.getByRole('listitem')).toHaveCount(2);
  await expect(question).toContainText('type, x');
  await expect(page.getByRole('button', { name: translate('ru', 'words', 'add') })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await canvas.expectCards('a', 'b', 'c', 'd');
});

test('W2.05 a picture is saved as pixels or as shapes, of the whole canvas or of the selection', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(heap, chain);
  const save = async () => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: translate('ru', 'words', 'save') }).click();
    return readFile(await (await download).path());
  };
  await canvas.click({ x: 620, y: 600 });
  await page.keyboard.press('Control+Shift+e');
  const png = await save();
  // 2,280 px of cards, 40 px for the backward link of the leftmost card, and a margin of 40 px on either side; at scale 2.
  expect(png.readUInt32BE(16)).toBe(2 * (2_280 + 40 + 80));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+Shift+e');
  await page.getByRole('radio', { name: 'SVG' }).click();
  const svg = (await save()).toString();
  expect(svg.match(/<text /g)?.length).toBeGreaterThanOrEqual(8);
  const drawn = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
    await image.decode();
    return image.naturalWidth;
  }, svg);
  expect(drawn).toBe(2_400);
});

test('D4.20 D4.22 selected cards are aligned and disabled from the keys and the bar, each in one step of undo', { tag: '@rest' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).show(heap, chain);
  const bar = page.getByTestId('selection-bar');
  const places = () => Promise.all(Object.keys(heap).map((id) => canvas.at(id)));
  const disabled = page
    .getByTestId('canvas-outline')
    .locator('[data-node-id]')
    .filter({ hasText: translate('ru', 'canvas', 'outline.setting.disabled') });
  await canvas.card('a').focus();
  await page.keyboard.press('Control+a');
  await expect(bar).toContainText(translate('ru', 'words', 'cardCount_few', { count: 4 }));
  await page.keyboard.press('Shift+Alt+KeyA');
  await expect.poll(async () => (await places()).map(({ x }) => x)).toEqual([0, 0, 0, 0]);
  await page.keyboard.press('Control+z');
  await expect.poll(places).toEqual(Object.values(heap));
  await bar.getByRole('button', { name: translate('ru', 'selection', 'arrange') }).click();
  await page.getByRole('menuitem', { name: translate('ru', 'actions', 'name.alignTop') }).click();
  await expect.poll(async () => (await places()).map(({ y }) => y)).toEqual([0, 0, 0, 0]);
  await bar.getByRole('button', { name: translate('ru', 'actions', 'name.disableCards') }).click();
  await expect(disabled).toHaveCount(4);
  await canvas.card('a').focus();
  await page.keyboard.press('Control+z');
  await expect(disabled).toHaveCount(0);
});
