import { expect, type Page } from 'playwright/test';
import type { Pipeline, PipelineLink } from '../../../contract/executions/pipeline.ts';
import type { Question } from '../../../contract/executions/question.ts';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { faults } from '../../support/browser/faults.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';

const en = translator('en', 'question-link');
const ru = translator('ru', 'question-link');

const server = setUpSharedServer();
let ann: RunAccount;
test.beforeAll(async () => {
  ann = await signUp(server.url);
});

type Asked = { id: string; question: Question; url: string };

/** Starts a run of these steps, waits for its question, and makes a link to it. */
async function ask(steps: Record<string, object>, links: Omit<PipelineLink, 'id'>[]): Promise<Asked> {
  const made = await ann.call<Pipeline>('POST', '/Pipeline', {
    ...{ name: 'People', projectId: 'default' },
    steps: Object.entries(steps).map(([name, settings]) => ({ name, agentId: ann.agent(name).id, nodeId: name, settings })),
    links: links.map((link) => ({ id: `${link.from}>${link.to}`, ...link })),
  });
  const { id } = await ann.start(made.body, 'Plan a bakery');
  await ann.until(id, ({ openQuestions }) => openQuestions === 1);
  const [question] = (await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`)).body;
  if (!question) throw new Error('The run has no question.');
  const { path } = (await ann.call<{ path: string }>('POST', `/question/${question.id}/link`)).body;
  return { id, question, url: `${server.url}${path}` };
}

const approval = () =>
  ask(
    {
      assistant: {},
      qa: {
        person: {
          question: 'May we **buy** the ovens?',
          inputs: [
            { id: 'budget', label: 'Budget', type: 'number', isRequired: true },
            { id: 'size', label: 'Size', type: 'choice', options: ['small', 'large'] },
            { id: 'plan', label: 'Plan', type: 'file' },
          ],
        },
      },
      developer: {},
      analyst: {},
    },
    [
      { from: 'assistant', to: 'qa' },
      { from: 'qa', to: 'developer', label: 'Buy' },
      { from: 'qa', to: 'analyst', label: 'Wait' },
    ],
  );
const freeAnswer = () => ask({ qa: { person: { question: 'Which name?' } } }, []);
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const answerOf = async ({ question }: Asked) => (await ann.call<Question>('GET', `/question/${question.id}`)).body;

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('D6.05 G2.04 a person without an account answers by a link, once; what was typed survives a reload, and the workspace is not loaded', {
    tag: '@rest',
  }, async ({ page }) => {
    const run = await approval();
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    await page.goto(`${run.url}?lang=en`);
    await expect(heading(page)).toHaveText(run.question.title);
    await expect(page.locator('strong', { hasText: 'buy' })).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(run.question.title));
    expect(scripts.filter((url) => /question-link-route-[\w-]+\.js/.test(url))).toHaveLength(1);
    expect(scripts.filter((url) => /workspace|worker|controls-|natsws/.test(url))).toEqual([]);
    await expect(page.locator('details[open]')).toContainText(/\w{4}/);
    for (const words of ['Ann', 'Plan a bakery', en('simulated')]) await expect(page.getByRole('main')).toContainText(words);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await faults(page)).toEqual([]);

    // Before anything has scrolled.
    for (const name of ['Buy', 'Wait']) await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    await page.getByRole('button', { name: 'Buy' }).tap();
    await expect(page.getByLabel('Budget')).toBeFocused();
    const error = page.getByText(translate('en', 'answers', 'problem.required'));
    const boxes = async () => [await error.boundingBox(), await page.getByRole('button', { name: 'Buy' }).boundingBox()];
    const [ofError, ofButton] = await boxes();
    if (!ofError || !ofButton) throw new Error('The error or the button is not drawn.');
    expect(ofError.y + ofError.height).toBeLessThanOrEqual(ofButton.y);
    expect(ofError.y).toBeGreaterThan(0);
    await page.getByLabel('Budget').fill('about 500');
    await page.getByRole('button', { name: 'Buy' }).tap();
    await expect(page.getByText(translate('en', 'answers', 'problem.number'))).toBeVisible();
    await page.getByLabel('Budget').fill('1 200,5');
    await page.getByLabel('Size').selectOption('large');
    await page.getByLabel(en('comment')).fill('Mind the flour.');
    await page.reload();
    await expect(page.getByLabel('Budget')).toHaveValue('1 200,5');
    await expect(page.getByLabel('Size')).toHaveValue('large');
    await expect(page.getByLabel(en('comment'))).toHaveValue('Mind the flour.');
    await page.getByLabel('Plan').setInputFiles({ name: 'plan.bin', mimeType: '', buffer: Buffer.from([0xff, 0xfe, 0x80]) });
    await expect(page.getByText(translate('en', 'answers', 'file.binary'))).toBeVisible();
    await page.getByLabel('Plan').setInputFiles({ name: 'plan.md', mimeType: 'text/markdown', buffer: Buffer.from('# Ovens') });
    await expect(page.getByText('plan.md')).toBeVisible();
    await expect(page.getByText(translate('en', 'answers', 'file.binary'))).toBeHidden();
    await page.getByRole('button', { name: 'Buy' }).tap();
    await expect(heading(page)).toHaveText(en('end.sent.title'));
    await expect(heading(page)).toBeFocused();
    expect(await faults(page)).toEqual([]);
    expect(await answerOf(run)).toMatchObject({
      state: 'answered',
      answer: { label: 'Buy', values: { budget: 1200.5, size: 'large', plan: { name: 'plan.md' } }, text: 'Mind the flour.' },
    });
    await ann.until(run.id, ({ status }) => status === 'completed');

    await page.reload();
    await expect(heading(page)).toHaveText(en('end.answered.title'));
    await expect(page.locator('textarea')).toHaveCount(0);
    for (const given of ['Ann', 'Buy', '1200.5', 'large', 'plan.md', 'Mind the flour.'])
      await expect(page.getByRole('main')).toContainText(given);
  });
});

test('G2.04 on a low phone the error of a required field stands above rows of buttons, and what sends back asks for words', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  const wide = 'One of the long names, ';
  const run = await ask(
    {
      assistant: {},
      qa: { person: { question: 'Ship?', inputs: [{ id: 'sum', label: 'Sum', type: 'number', isRequired: true }] } },
      developer: {},
      analyst: {},
      'team-lead': {},
    },
    [
      { from: 'assistant', to: 'qa' },
      { from: 'qa', to: 'assistant', label: 'Change', maxRounds: 2 },
      ...['developer', 'analyst', 'team-lead'].map((to) => ({ from: 'qa', to, label: `${wide}${to}` })),
    ],
  );
  await page.goto(`${run.url}?lang=en`);
  await page.getByRole('button', { name: `${wide}developer` }).click();
  const error = await page.getByText(translate('en', 'answers', 'problem.required')).boundingBox();
  const button = await page.getByRole('button', { name: `${wide}developer` }).boundingBox();
  if (!error || !button) throw new Error('The error or the button is not drawn.');
  expect(error.y).toBeGreaterThan(0);
  expect(error.y + error.height).toBeLessThanOrEqual(button.y);
  await page.getByLabel('Sum').fill('5');
  await page.getByRole('button', { name: 'Change' }).click();
  await expect(page.getByLabel(en('comment'))).toBeFocused();
  await expect(page.getByText(translate('en', 'answers', 'problem.change'))).toBeInViewport({ ratio: 1 });
});

test('G2.04 G2.02 a held result is edited and handed on, in Russian and in the dark theme', async ({ page }) => {
  const run = await ask({ assistant: {}, developer: {} }, [{ from: 'assistant', to: 'developer', hold: 'always' }]);
  await page.emulateMedia({ colorScheme: 'dark' });
  const response = await page.goto(`${run.url}?lang=ru`);
  expect(await response?.text()).toContain('<meta name="robots" content="noindex" />');
  await expect(page.getByText(ru('reason.hold'))).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: ru('words:edit') }).click();
  await page.getByLabel(ru('edited')).fill('## Мой план');
  await page.getByRole('button', { name: ru('preview') }).click();
  await expect(page.getByRole('heading', { name: 'Мой план' })).toBeVisible();
  await page.getByRole('button', { name: ru('original') }).click();
  await expect(page.getByRole('heading', { name: 'Мой план' })).toHaveCount(0);
  await page.getByRole('button', { name: ru('myEdits') }).click();
  await expect(page.getByRole('heading', { name: 'Мой план' })).toBeVisible();
  await page.getByRole('button', { name: ru('words:handOn') }).click();
  await expect(heading(page)).toHaveText(ru('end.sent.title'));
  expect((await answerOf(run)).answer).toEqual({ action: 'handOn', text: '## Мой план' });
});

test('G2.06 G2.04 of two tabs the first answers; the second keeps its text for copying, also after a reload', async ({ page, context }) => {
  const run = await freeAnswer();
  const second = await context.newPage();
  await page.goto(`${run.url}?lang=en`);
  await second.goto(`${run.url}?lang=en`);
  await second.getByLabel(en('words:yourAnswer')).fill('Golden Crust');
  await page.getByLabel(en('words:yourAnswer')).fill('Warm Bread');
  await page.keyboard.press('Control+Enter');
  await expect(heading(page)).toHaveText(en('end.sent.title'));
  await second.getByRole('button', { name: en('words:sendAnswer') }).click();
  await expect(heading(second)).toHaveText(en('end.answered.title'));
  await expect(second.getByLabel(en('kept'))).toHaveValue('Golden Crust');
  expect(await faults(second)).toEqual([]);
  await second.reload();
  await expect(second.getByLabel(en('kept'))).toHaveValue('Golden Crust');
  expect((await answerOf(run)).answer?.text).toBe('Warm Bread');
});

test('G2.04 a lost connection keeps the text; an answer whose response was lost is not called another person’s', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const run = await freeAnswer();
  await page.goto(`${run.url}?lang=en`);
  await page.getByLabel(en('words:yourAnswer')).fill('Warm Bread');
  await page.route('**/api/q/*', (route) => route.abort());
  await page.getByRole('button', { name: en('words:sendAnswer') }).click();
  await expect(page.getByText(en('failure.unsent'))).toBeVisible();
  await expect(page.getByLabel(en('words:yourAnswer'))).toHaveValue('Warm Bread');
  await page.unroute('**/api/q/*');
  await page.route('**/api/q/*', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: en('words:sendAnswer') }).click();
  await expect.poll(async () => (await answerOf(run)).state).toBe('answered');
  await expect(page.getByText(en('failure.unsent'))).toBeVisible();
  await page.unroute('**/api/q/*');
  await page.getByRole('button', { name: en('words:sendAnswer') }).click();
  await expect(page.getByText(en('end.maybeSent.text'))).toBeVisible();
});

test('G2.04 an unknown, a mistyped, a withdrawn and an expired link say so, and a question that did not load is asked for again', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const run = await freeAnswer();
  for (const token of ['x'.repeat(43), 'short']) {
    await page.goto(`${server.url}/q/${token}?lang=en`);
    await expect(heading(page)).toHaveText(en('end.gone.title'));
    await expect(heading(page)).toBeFocused();
  }
  expect(await faults(page)).toEqual([]);
  await page.route('**/api/q/*', (route) => route.abort());
  await page.goto(`${run.url}?lang=en`);
  await expect(heading(page)).toHaveText(en('end.failed.title'));
  await page.unroute('**/api/q/*');
  await page.getByRole('button', { name: en('retry') }).click();
  await expect(heading(page)).toHaveText(run.question.title);
  await page.getByLabel(en('words:yourAnswer')).fill('Too late');
  await ann.act(run.id, 'stop');
  await page.getByRole('button', { name: en('words:sendAnswer') }).click();
  await expect(heading(page)).toHaveText(en('end.withdrawn.title'));
  await expect(page.getByLabel(en('kept'))).toHaveValue('Too late');
  await page.reload();
  await expect(heading(page)).toHaveText(en('end.withdrawn.title'));
  const expired = { code: 'link_expired', message: 'Over', requestId: 'one' };
  await page.route('**/api/q/*', (route) => route.fulfill({ status: 410, json: expired }));
  await page.goto(`${run.url}?lang=ru`);
  await expect(heading(page)).toHaveText(ru('end.expired.title'));
  await expect(page.getByText(ru('end.expired.text'))).toBeVisible();
});
