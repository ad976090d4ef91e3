import { expect, test } from 'vitest';
import { stepInHistory, writtenCommands } from '../../../../src/app/workspace/console/command-line/use-command-line.ts';
import { blankLine } from '../../../../src/model/console/console-lines.ts';

const line = (text: string, executionId: string | null = null, isUser = true) => ({
  ...blankLine,
  id: text,
  timestamp: '2026-11-20T12:00:00.000Z',
  text,
  isUser,
  executionId,
});

test('W2.15 the history of the console holds what people typed into it, nothing twice in a row', () => {
  expect(
    writtenCommands([line('/help'), line('Build it', 'run'), line('Answer', null, false), line('/help'), line('/ai a'), line('/help')]),
  ).toEqual(['/help', '/ai a', '/help']);
});

test('W2.15 the arrow keys walk through the history of the console and end at an empty line', () => {
  expect(stepInHistory(null, -1, 3)).toBe(2);
  expect(stepInHistory(0, -1, 3)).toBe(0);
  expect(stepInHistory(1, 1, 3)).toBe(2);
  expect(stepInHistory(2, 1, 3)).toBeNull();
  expect(stepInHistory(null, -1, 0)).toBeNull();
});
