import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { type Language, translate, translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

const languages: Language[] = ['ru', 'en'];

for (const language of languages) {
  test(`W5.01 W5.05 W5.03 W4.03 an empty message, a link onto itself and a message to a canvas without agents are named, and the text stays (${language})`, async ({
    page,
    playedApi,
  }) => {
    await enterPlayed(page, playedApi, language);
    const workspace = await new WorkspacePage(page, language).opened();
    const sentence = translator(language, 'errors');

    await workspace.write('   ');
    await workspace.send();
    await expect(workspace.messageProblem).toHaveText(sentence('dialog.empty'));

    const links = await workspace.links().count();
    await workspace.cards().nth(1).focus();
    await page.keyboard.press('l');
    await page.keyboard.press('Enter');
    await expect(workspace.outlineSays).toHaveText(sentence('link.self'));
    await expect(workspace.links()).toHaveCount(links);

    for (let agents = 6; agents > 0; agents--) {
      await workspace.cards().and(page.locator('[data-node-type="agent"]')).first().focus();
      await page.keyboard.press('Delete');
      await expect(workspace.cards()).toHaveCount(agents);
    }
    await workspace.write('Кому-нибудь');
    await workspace.send();
    await expect(workspace.messageProblem).toHaveText(sentence('pipeline.noAgents'));
    await expect(workspace.messageBox).toHaveValue('Кому-нибудь');
    await expect(workspace.runControl).toContainText(translate(language, 'workspace', 'run.noAgents'));
    await workspace.messageBox.blur();
    await page.keyboard.press('Alt+r');
    await expect(workspace.banners()).toContainText([sentence('run.noAgents')]);
  });
}
