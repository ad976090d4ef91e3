import { describe, expect, test } from 'vitest';
import en from '../../../locales/en/content/simulated.json' with { type: 'json' };
import ru from '../../../locales/ru/content/simulated.json' with { type: 'json' };
import { countVerdicts, isBuilder, isTester, testReport } from '../../../src/model/run/test-report.ts';

describe('R42.01 a tester’s report', () => {
  test.each([
    ['English', en],
    ['Russian', ru],
  ])('R42.01 in %s as the simulated tester writes it: seven checks, none executed, and what was found', (_, { roles }) => {
    const { checks, findings } = testReport(roles.qa.map(([first]) => first).join('\n\n'));
    expect(countVerdicts(checks)).toEqual({ passed: 0, failed: 0, notExecuted: 7 });
    expect(checks[1]).toMatchObject({
      number: '2',
      expected: expect.stringContaining('400'),
      text: expect.stringMatching(/title|заголов/),
    });
    expect(findings.length).toBeGreaterThanOrEqual(3);
  });

  test('R42.01 a tester’s report tells passed from failed in tables and lists, in any common wording', () => {
    const { checks, findings } = testReport(
      [
        '| Проверка | Статус |',
        '| --- | :-: |',
        '| вход \\| выход | ✅ пройдена |',
        '| повтор | **не пройдена** |',
        '| пароль | не проверялась |',
        '',
        '```',
        '| Check | Status |',
        '| --- | --- |',
        '| code | passed |',
        '- [x] code',
        '```',
        '- [x] вход',
        '- [ ] выход',
        '- ❌ `печать`',
        '- PASS: export',
        '## Findings',
        '1. **Печать** падает',
        '## Verdict',
        '- можно принимать',
      ].join('\n'),
    );
    expect(checks.map(({ number, text, verdict }) => `${number} ${text}: ${verdict}`)).toEqual([
      ...['1 вход | выход: passed', '2 повтор: failed', '3 пароль: notExecuted'],
      ...['4 вход: passed', '5 выход: notExecuted', '6 печать: failed', '7 export: passed'],
    ]);
    expect(findings).toEqual(['Печать падает']);
  });

  test('R42.01 an item that is wrapped is read whole, and ends where another part begins', () => {
    const { checks, findings } = testReport(
      [
        '- [x] a task is added',
        '  with a title of',
        '200 characters',
        '- ❌ an empty title is refused',
        '',
        'This belongs to no item.',
        '## Findings',
        '1. The list stays empty',
        '   after a reload.',
        '2. The message is cut',
        '```',
        'code',
        '```',
        'Nor does this.',
        '- The last one is',
        '  on two lines',
        '---',
        'End.',
      ].join('\n'),
    );
    expect(checks.map(({ text, verdict }) => `${text}: ${verdict}`)).toEqual([
      'a task is added with a title of 200 characters: passed',
      'an empty title is refused: failed',
    ]);
    expect(findings).toEqual(['The list stays empty after a reload.', 'The message is cut', 'The last one is on two lines']);
  });

  test('R42.01 a report of another form, or with another kind of table, stays a text', () => {
    expect(testReport('Всё хорошо.\n\n| File | Lines |\n| --- | --- |\n| a.ts | 3 |\n\n- ok')).toEqual({ checks: [], findings: [] });
    expect(testReport('')).toEqual({ checks: [], findings: [] });
    expect([isTester('QA'), isTester('Tester'), isTester('Developer')]).toEqual([true, true, false]);
    expect([isBuilder('Backend'), isBuilder('developer'), isBuilder('ProductManager')]).toEqual([true, true, false]);
  });

  test.each([
    ['Passed, 0 failed', 'passed'],
    ['No errors', 'passed'],
    ['Без ошибок', 'passed'],
    ['Прошёл', 'passed'],
    ['Unsuccessful', 'failed'],
    ['Not passed', 'failed'],
    ['Не прошёл', 'failed'],
    ['неуспешно', 'failed'],
    ['Безуспешно', 'failed'],
    ['10 failed', 'failed'],
    ['не выполнялось', 'notExecuted'],
    ['Not executed', 'notExecuted'],
    ['', 'notExecuted'],
  ])('R42.01 «%s» is %s', (said, verdict) => {
    const [check] = testReport(`| Check | Result |\n| --- | --- |\n| a | ${said} |`).checks;
    expect(check?.verdict).toBe(verdict);
  });

  test('R42.01 a report is split at every kind of line break, however long the lines are', () => {
    const long = `- ${' '.repeat(50_000)}x`;
    expect(testReport(`${long}\u2028- ✅ a\r- ✅ b`).checks.map(({ text }) => text)).toEqual(['a', 'b']);
  });
});
