import { expect } from 'playwright/test';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { translate } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';

const server = setUpSharedServer();

test('D4.05 a task is written at any zoom: the bar has the text of the form, takes its focus, stays beside every panel, and starts', {
  tag: '@rest',
}, async ({ page }) => {
  const { workspace, thrown } = await withCanvas(page, server.url, (card) => [dialog('task', 'Задача', 200), card(0, 'writer', 200)], [
    ['task', 'writer'],
  ]);
  const bar = page.getByTestId('message-bar');
  const box = bar.getByRole('textbox');
  await workspace.messageBox.click();
  await page.keyboard.type('Напиши');
  await expect(box).toHaveValue('Напиши');

  const zoom = async (by: number) => {
    await page.keyboard.down('Control');
    for (let turn = 0; turn < 8; turn += 1) await page.mouse.wheel(0, by);
    await page.keyboard.up('Control');
  };
  // The form goes while it is typed in.
  const canvas = await page.getByTestId('canvas').boundingBox();
  await page.mouse.move((canvas?.width ?? 0) / 2, 200);
  await zoom(200);
  await expect(box).toBeFocused();
  await page.keyboard.type(' стихи');
  await expect(box).toHaveValue('Напиши стихи');
  // And back: what is typed stays in the field that has the focus.
  await zoom(-200);
  await expect(workspace.messageBox).toHaveValue('Напиши стихи');
  await expect(box).toBeFocused();
  await page.keyboard.type(' о весне');
  await zoom(200);
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('Напиши стихи о весне');

  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('О весне') });
  await expect(bar.getByTestId('dialog-files')).toContainText('notes.txt');
  for (const panel of ['Alt+h', 'Alt+h', 'Alt+v', 'Alt+v', 'Control+j', 'Control+j']) {
    await page.getByTestId('canvas').press(panel);
    await expect(box).toBeInViewport({ ratio: 1 });
    await box.click({ trial: true });
  }

  await workspace.pressStart();
  await expect(workspace.runControl).toContainText(translate('ru', 'workspace', 'run.finished'), { timeout: 60_000 });
  expect(thrown).toEqual([]);
});
