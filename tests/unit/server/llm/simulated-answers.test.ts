import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import en from '../../../../locales/en/content/simulated.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/simulated.json' with { type: 'json' };
import { chosenLabel } from '../../../../rules/run-graph/choose-links.ts';
import { listItems } from '../../../../rules/run-graph/list-items.ts';
import { composeAnswer as compose } from '../../../../rules/simulated/compose-answer.ts';
import type { Conversation, EarlierResult, ModelRequest } from '../../../../server/platform/llm/language-model.ts';
import { simulatedModel } from '../../../../server/platform/llm/simulated/simulated-model.ts';
import { toLanguageModel } from '../../../../server/platform/llm/to-language-model.ts';

const composeAnswer = (request: ModelRequest) => compose(request, { ru, en });

const roles = ['assistant', 'ProductManager', 'ProjectManager', 'TechnicalArchitect', 'Developer', 'QA', 'BusinessAnalyst'];
const tasks = { ru: 'Сделай лендинг для пекарни с формой заказа тортов', en: 'Make a landing page for a bakery with an order form' };

const asked = (role: string, task: string, earlier: EarlierResult[] = [], contexts: string[] = []): ModelRequest => ({
  role,
  agentTitle: role,
  systemPrompt: '',
  task,
  earlier,
  contexts,
  language: 'ru',
  temperature: 0.7,
  maxTokens: 4_000,
  idempotencyKey: 'key',
});

describe.each(['ru', 'en'] as const)('a simulated answer in %s', (language) => {
  test.each(roles)('R25.01 the simulated answer of %s has a readable length, and is about the task in its language', (role) => {
    const text = composeAnswer(asked(role, tasks[language]));
    const words = text.split(/\s+/).length;
    expect(words).toBeGreaterThanOrEqual(130);
    expect(words).toBeLessThanOrEqual(450);
    expect(text).toContain(language === 'ru' ? 'пекарни' : 'bakery');
    expect(/[а-яё]/i.test(text)).toBe(language === 'ru');
    expect(text).not.toMatch(/\{\w+\}|undefined/);
    expect(text).toMatch(/^## /);
  });

  test('R25.01 a simulated answer refers to the result of the step before', () => {
    const earlier = [
      { title: 'Researcher', role: 'analyst', text: '## Findings\n\nPeople order cakes on Thursdays, mostly from their phones.' },
    ];
    expect(composeAnswer(asked('ProductManager', tasks[language], earlier))).toContain('People order cakes on Thursdays');
  });

  test('R41.01 a simulated answer refers to the messages that people added', () => {
    expect(composeAnswer(asked('Developer', tasks[language], [], ['Use blue everywhere']))).toContain('Use blue everywhere');
  });
});

test.each(['ru', 'en'] as const)(
  'G1.02 G1.03 G1.04 in a graph it names a label, sends the first round back and accepts the second, and writes a list (%s)',
  (language) => {
    const answer = (turn: object, task = tasks[language]) => {
      const inGraph = { choices: [], hasOtherwise: false, isList: false, round: 0, item: null, notAccepted: [], ...turn };
      return composeAnswer({ ...asked('QA', task), inGraph });
    };
    const review = [
      { label: 'accepted', leadsBack: false },
      { label: 'rejected', leadsBack: true },
    ];
    const labels = ['accepted', 'rejected'];
    expect([0, 1, 2].map((round) => chosenLabel(answer({ choices: review, round }), labels))).toEqual(['rejected', 'accepted', 'accepted']);
    const cases = ['urgent', 'usual', 'never'].map((label) => ({ label, leadsBack: false }));
    const chosen = chosenLabel(answer({ choices: cases }), ['urgent', 'usual', 'never']);
    expect(cases.map(({ label }) => label)).toContain(chosen);
    expect(chosenLabel(answer({ choices: cases }), ['urgent', 'usual', 'never'])).toBe(chosen);
    const items = listItems(answer({ isList: true })) ?? [];
    expect(items.length).toBeGreaterThan(1);
    expect(new Set(items).size).toBe(items.length);
    const item = { text: language === 'ru' ? 'Медовик с орехами' : 'Honey cake with nuts', number: 1, of: 3 };
    expect(answer({ item })).toContain(language === 'ru' ? 'Медовик' : 'Honey cake');
  },
);

test('R25.01 the same question gets the same answer, another task another one', () => {
  expect(composeAnswer(asked('QA', tasks.ru))).toBe(composeAnswer(asked('QA', tasks.ru)));
  expect(composeAnswer(asked('QA', 'Бот для записи к врачу'))).not.toBe(composeAnswer(asked('QA', tasks.ru)));
});

test('R42.01 the developer leaves files in fenced blocks with their paths', () => {
  const text = composeAnswer(asked('Developer', tasks.ru));
  expect(text.match(/^```ts path=src\/lending\/\w+\.ts$/gm)).toHaveLength(3);
  expect(text.match(/^```$/gm)).toHaveLength(3);
});

test('R42.01 the tester says that nothing was executed', () => {
  expect(composeAnswer(asked('QA', tasks.ru))).toContain('Не выполнялось');
  expect(composeAnswer(asked('QA', tasks.en))).toContain('Not executed');
});

test('R25.01 any task, however odd, gets a simulated answer without gaps', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
      fc.constantFrom(...roles, 'UX', 'Stranger'),
      (task, role) => {
        const text = composeAnswer(asked(role, task));
        expect(text.length).toBeGreaterThan(300);
        expect(text).not.toContain('undefined');
      },
    ),
  );
});

test('R25.01 the simulated model streams its whole text, says that it is simulated, and stops when aborted', async () => {
  const model = toLanguageModel(simulatedModel({ durationMs: 0 }));
  const texts: string[] = [];
  const outcome = await model.answer(asked('QA', tasks.en), new AbortController().signal, (text) => texts.push(text));
  expect(model).toMatchObject({ provider: 'simulated', simulated: true });
  if (!outcome.ok) throw new Error('It did not answer.');
  expect(outcome.value.text).toBe(composeAnswer(asked('QA', tasks.en)));
  expect(texts.join('')).toBe(`${outcome.value.thoughts}\n\n# Ответ\n\n${outcome.value.text}`);
  expect(texts).toHaveLength(12);
  const stopped = await model.answer(asked('QA', tasks.en), AbortSignal.abort(), () => {});
  expect(stopped).toMatchObject({ ok: false, error: { code: 'aborted' } });
});

test('R25.01 in a free conversation the simulated model answers the last message, in the role of the one who is asked', async () => {
  const conversation: Conversation = {
    messages: [
      { role: 'system', content: 'You are a tester.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: tasks.en },
    ],
    speaker: { role: 'QA', agentTitle: 'QA', language: 'en' },
    temperature: 0.7,
    maxTokens: 1_000,
    idempotencyKey: 'key',
  };
  const outcome = await simulatedModel({ durationMs: 0 }).converse(conversation, new AbortController().signal, () => {});
  expect(outcome).toMatchObject({ ok: true, value: { finish: 'stop', text: composeAnswer(asked('QA', tasks.en)) } });
});

test('R46.01 the simulated model writes its thoughts before its answer, and says that it is simulated', async () => {
  const turn = asked('QA', tasks.ru, [{ title: 'Разработчик', role: 'Developer', text: 'Код готов.' }], ['Синим']);
  const outcome = await toLanguageModel(simulatedModel({ durationMs: 0 })).answer(turn, new AbortController().signal, () => {});
  if (!outcome.ok) throw new Error('It did not answer.');
  expect(outcome.value.thoughts).toMatch(/^Это симуляция: модель не вызывалась\. .*лендинг.*«Разработчик»/);
  expect(outcome.value.thoughts).not.toMatch(/\{\w+\}|undefined/);
});
