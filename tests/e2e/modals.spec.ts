import { expect } from 'playwright/test';
import { providerTypes } from '../../contract/agent.ts';
import { setUpSharedServer, test } from '../support/browser/browser-test.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { faults } from '../support/browser/faults.ts';
import { translate, translator } from '../support/browser/translate.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';

const words = translator('ru', 'modals');
const sidebarWords = translator('ru', 'workspace', 'sidebar.');

const server = setUpSharedServer();

test.describe('on a desktop', () => {
  test('R30.01 R37.01 W2.10 W5.07 W7.02 a person creates, duplicates and instructs an agent; an added user is in the menu and on the canvas until removed', {
    tag: '@rest',
  }, async ({ page }) => {
    await enterWorkspace(page, server.url);
    const workspace = await new WorkspacePage(page).opened();
    const sidebar = page.getByTestId('sidebar');
    const dialog = page.getByRole('dialog');
    await sidebar.getByRole('button', { name: sidebarWords('words:newAgent') }).click();
    await dialog.getByRole('button', { name: words('newAgent.action') }).click();
    await expect(dialog.getByRole('alert').filter({ hasText: /./ })).toHaveText(words('newAgent.nameRequired'));
    await dialog.getByLabel(words('words:givenName')).fill('Релизёр');
    await dialog.getByLabel(words('words:role')).click();
    await page.getByRole('option', { name: words('newAgent.roles.DevOps') }).click();
    await expect(page.getByRole('option')).toHaveCount(0);
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('button', { name: words('newAgent.action') }).click();
    await expect(dialog).toHaveAccessibleName('Релизёр');
    await dialog.getByRole('button', { name: translate('ru', 'connections', 'agent.duplicate') }).click();
    await expect(dialog).toHaveAccessibleName('Релизёр 2');
    const prompt = dialog.locator('.cm-content');
    await expect(prompt).toHaveAccessibleName(translate('ru', 'connections', 'agent.prompt'));
    const told = await prompt.innerText();
    const save = dialog.getByRole('button', { name: translate('ru', 'words', 'save') });
    await expect(save).toBeDisabled();
    await prompt.fill('# Выпуск\n\nПиши **коротко**.');
    for (const width of [1_000, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(prompt).toContainText('коротко');
    }
    // However long the prompt is, it stays above the hint.
    await prompt.fill('Пиши **коротко**.\n'.repeat(60));
    const hint = await dialog.getByText(translate('ru', 'connections', 'agent.promptHint')).boundingBox();
    const editor = await dialog.locator('.cm-editor').boundingBox();
    expect((editor?.y ?? 0) + (editor?.height ?? 0)).toBeLessThanOrEqual(hint?.y ?? 0);
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('button', { name: translate('ru', 'connections', 'agent.revert') }).click();
    await expect.poll(() => prompt.innerText()).toBe(told);
    await expect(save).toBeDisabled();
    await prompt.press('Control+End');
    await page.keyboard.type(' Кратко.');
    await expect(save).toBeEnabled();
    await page.keyboard.press('Control+s');
    await expect(dialog).toHaveCount(0);
    const made = sidebar.getByRole('listitem').filter({ hasText: 'Релизёр' });
    await made.hover();
    await made.getByRole('button', { name: sidebarWords('duplicate', { title: 'Релизёр' }) }).click();
    await expect(made).toContainText('3');
    const role = translator('ru', 'workspace', 'user.');
    const hue = (name: string) => dialog.getByRole('radio', { name: words(`addUser.hue.${name}`) });
    await workspace.openSection('users');
    await sidebar.getByRole('button', { name: sidebarWords('newUser') }).click();
    await dialog.getByRole('button', { name: words('words:add') }).click();
    await expect(dialog.getByRole('alert')).toHaveText(words('addUser.nameRequired'));
    await dialog.getByLabel(words('words:givenName')).fill('Мария');
    await expect(hue('rose')).toBeChecked();
    await dialog.getByLabel(words('words:role')).click();
    await page.getByRole('option', { name: role('project-manager') }).click();
    await expect(hue('indigo')).toBeChecked();
    await hue('indigo').press('ArrowLeft');
    await expect(hue('blue')).toBeChecked();
    await hue('violet').check();
    await expect(page.getByRole('option')).toHaveCount(0);
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('button', { name: words('words:add') }).click();
    await expect(dialog).toHaveCount(0);
    const row = sidebar.locator('li[data-hue="violet"]').filter({ hasText: 'Мария' });
    await row.getByRole('button').first().click();
    await expect(workspace.card('Мария')).toHaveCount(1);
    await workspace.saved();
    await page.reload();
    await workspace.opened();
    await expect(workspace.card('Мария')).toHaveCount(1);
    await row.hover();
    await row.getByRole('button', { name: sidebarWords('removeUser', { title: 'Мария' }) }).click();
    await dialog.getByRole('button', { name: sidebarWords('words:remove') }).click();
    await expect(row).toHaveCount(0);
    await expect(workspace.card('Мария')).toHaveCount(1);
  });

  test('W2.20 the prompt has the focus when its dialog opens, though its editor is loaded before the dialog takes the focus', {
    tag: '@rest',
  }, async ({ page }) => {
    await enterWorkspace(page, server.url);
    await new WorkspacePage(page).opened();
    const agent = page.locator('[data-testid="canvas-outline"] [data-node-type="agent"]').first();
    const editor = page.locator('.cm-content');
    const loaded = page.waitForResponse('**/assets/create-prompt-editor-*.js');
    await agent.press('Enter');
    const file = (await loaded).url();
    await expect(editor).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(editor).toHaveCount(0);

    await agent.focus();
    // No frame begins before the box has stood for as long as the loaded editor takes.
    await page.evaluate(() => {
      const held: FrameRequestCallback[] = [];
      const { requestAnimationFrame } = window;
      window.requestAnimationFrame = (callback) => held.push(callback);
      Object.assign(window, {
        goOn: () => {
          window.requestAnimationFrame = requestAnimationFrame;
          for (const callback of held) requestAnimationFrame(callback);
        },
      });
    });
    await page.keyboard.press('Enter');
    await page.getByTestId('agent-settings').waitFor({ state: 'attached' });
    await page.evaluate((address) => import(address).then(() => (window as never as { goOn: () => void }).goOn()), file);
    await expect(editor).toBeFocused();
  });

  test('W2.20 W5.07 W9.04 an agent’s model keeps to its ranges and steps, is saved only when something changed, and its key is never shown', async ({
    page,
  }) => {
    await enterWorkspace(page, server.url);
    await new WorkspacePage(page).opened();
    const sidebar = page.getByTestId('sidebar');
    const agent = translator('ru', 'connections', 'agent.');
    const dialog = page.getByRole('dialog').filter({ has: page.getByTestId('agent-settings') });
    const open = async () => {
      await sidebar.getByRole('button', { name: sidebarWords('settings', { title: 'Ассистент' }) }).click();
      await expect(dialog).toHaveAccessibleName('Ассистент');
      // The dialog takes the focus a frame later: a key that is pressed before would go there.
      await expect(dialog.locator(':focus')).toHaveCount(1);
      // Prompt, model and tools are seen; the rest is behind one word.
      await expect(figure('temperature')).toBeHidden();
      await dialog.getByTestId('agent-more').locator('summary').first().click();
    };
    const save = dialog.getByRole('button', { name: agent('words:save') });
    const provider = dialog.getByRole('combobox', { name: agent('connections:provider') });
    const model = dialog.getByRole('combobox', { name: agent('modelName') });
    const slider = (key: string) => dialog.getByRole('slider', { name: agent(key) });
    const figure = (key: string) => dialog.getByRole('textbox', { name: agent(key), exact: true });
    const problem = (key: string) => dialog.getByRole('alert').filter({ hasText: agent(key) });
    await open();
    await expect(provider).toHaveText('OpenAI');
    await expect(model).toHaveValue('gpt-4');
    await expect(figure('temperature')).toHaveValue('0,7');
    await expect(figure('maxTokens')).toHaveValue(/^4\s000$/);
    await expect(save).toBeDisabled();

    await slider('temperature').press('ArrowRight');
    await expect(figure('temperature')).toHaveValue('0,8');
    await expect(save).toBeEnabled();
    await slider('temperature').press('End');
    await expect(figure('temperature')).toHaveValue('2,0');
    for (const wrong of ['2,1', '0,75', 'жарко']) {
      await figure('temperature').fill(wrong);
      await expect(problem('temperatureBad')).toBeVisible();
      await expect(save).toBeDisabled();
    }
    await figure('temperature').fill('0,7');
    await expect(problem('temperatureBad')).toHaveCount(0);
    await expect(save).toBeDisabled();
    await slider('maxTokens').press('ArrowRight');
    await expect(figure('maxTokens')).toHaveValue(/^4\s100$/);
    for (const wrong of ['99', '150', '128100']) {
      await figure('maxTokens').fill(wrong);
      await expect(problem('maxTokensBad')).toBeVisible();
      await expect(save).toBeDisabled();
    }
    // Both are wrong: the keys of Save lead to the first of them.
    await figure('temperature').fill('жарко');
    await slider('maxTokens').press('Control+s');
    await expect(figure('temperature')).toBeFocused();
    await figure('temperature').fill('0,7');
    await slider('maxTokens').press('Home');
    await expect(figure('maxTokens')).toHaveValue('100');

    const option = page.getByRole('option');
    for (const [name, models] of [
      ['YandexGPT', ['yandexgpt-lite', 'yandexgpt']],
      ['GigaChat', ['GigaChat-2', 'GigaChat-2-Pro', 'GigaChat-2-Max']],
      ['Anthropic', ['claude-sonnet-5-5', 'claude-3-sonnet', 'claude-3-opus', 'claude-3-haiku']],
    ] as const) {
      await provider.click();
      await expect(option).toHaveText(providerTypes.map((type) => agent(`providers.${type}`)));
      await expect(option).toContainText(['OpenAI', 'GigaChat', 'YandexGPT', 'Anthropic', agent('providers.simulated')]);
      await option.filter({ hasText: name }).click();
      await expect(model).toHaveValue(models[0]);
      await dialog.getByRole('button', { name: agent('modelNames') }).click();
      await expect(page.getByTestId('model-name')).toContainText([...models]);
      await page
        .getByTestId('model-name')
        .getByText(models.at(-1) ?? '', { exact: true })
        .click();
      await expect(option).toHaveCount(0);
    }
    await expect(model).toHaveValue('claude-3-haiku');
    await dialog.getByRole('button', { name: agent('revert') }).click();
    await expect(provider).toHaveText('OpenAI');
    await expect(model).toHaveValue('gpt-4');
    await expect(figure('maxTokens')).toHaveValue(/^4\s000$/);
    await expect(save).toBeDisabled();

    const key = dialog.getByLabel(agent('key'), { exact: true });
    const keyState = dialog.getByTestId('key-state');
    await expect(keyState).toHaveText(agent('keyNone'));
    await expect(key).toHaveAttribute('type', 'password');
    await key.fill('sk-never-shown-4321');
    await slider('temperature').press('ArrowLeft');
    await save.click();
    await expect(dialog).toHaveCount(0);
    const answers: string[] = [];
    page.on('response', async (answer) => answers.push(await answer.text().catch(() => '')));
    await page.reload();
    await open();
    await expect(figure('temperature')).toHaveValue('0,6');
    await expect(keyState).toContainText(agent('keySaved', { last4: '4321' }));
    await expect(key).toHaveValue('');
    await expect(save).toBeDisabled();
    expect([...answers, await page.content()].filter((text) => text.includes('never-shown'))).toEqual([]);
    expect(answers.some((text) => text.includes('"keyLast4":"4321"'))).toBe(true);
    await dialog.getByRole('button', { name: agent('keyRemove') }).click();
    await expect(keyState).toContainText(agent('keyWillGo'));
    await page.keyboard.press('Escape');
    const leaving = page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .filter({ hasText: agent('discardText') });
    await leaving.getByRole('button', { name: translate('ru', 'common', 'cancel') }).click();
    await expect(keyState).toContainText(agent('keyWillGo'));
    await save.click();
    await expect(dialog).toHaveCount(0);
    await open();
    await expect(keyState).toHaveText(agent('keyNone'));
  });
});
