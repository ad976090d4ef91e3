import { expect, test } from 'vitest';
import { taskItems } from '../../../../rules/run-graph/list-items.ts';
import { planPipeline } from '../../../../src/model/run/plan/pipeline-plan.ts';
import { graphFor, joinItems, longListOf } from '../../../../src/model/run/plan/task-list.ts';
import { agentNode, dialogNode, documentOf, link, team } from '../../../support/engine/samples.ts';

const dialog = dialogNode('d', 0, 0);
const [a, b] = ['a', 'b'].map((id, at) => agentNode(id, team[at] as (typeof team)[number], 400 + at * 600, 0));
const group = {
  id: 'g',
  type: 'group' as const,
  title: 'Each',
  x: 950,
  y: -50,
  width: 500,
  height: 400,
  forEach: { onFailure: 'skip' as const },
};
const lines = (count: number) => Array.from({ length: count }, (_, at) => `Town ${'abcdefghij'[at % 10]}`);

function graphOf(...links: [string, string][]) {
  const document = documentOf(
    [dialog, a, b, group] as never[],
    links.map(([from, to]) => link(from, to)),
  );
  const planned = planPipeline(document, team, dialog);
  if (!planned.ok) throw new Error(JSON.stringify(planned.problems));
  // The form knows it also while the canvas cannot run.
  expect(longListOf(graphFor(document, { dialog, starts: [] }), lines(150).join('\n'))).toEqual(
    longListOf(planned.plan.graph, lines(150).join('\n')),
  );
  return planned.plan.graph;
}

test('D4.11 a task with more items than a group can work through is known before the start', () => {
  const task = lines(101).join('\n');
  expect(longListOf(graphOf(['d', 'b']), task)).toEqual({ groupId: 'g', items: 101 });
  expect(longListOf(graphOf(['d', 'b']), lines(100).join('\n'))).toBeNull();
  // The list of a step before the group, and a run without a group, have other items.
  expect(longListOf(graphOf(['d', 'a'], ['a', 'b']), task)).toBeNull();
  expect(longListOf(graphOf(['d', 'a']), task)).toBeNull();
});

test.each([
  ['lines', lines(250).join('\n'), 84],
  ['lines below a heading', `Write about:\n${lines(101).join('\n')}`, 51],
  [
    'bullets with more lines',
    `Write.\n\n${lines(150)
      .map((line) => `- ${line}\n  and its river`)
      .join('\n')}`,
    75,
  ],
  [
    'numbers',
    lines(120)
      .map((line, at) => `${at + 1}. ${line}`)
      .join('\n'),
    60,
  ],
  ['JSON', JSON.stringify(lines(120)), 60],
  ['JSON in a block of code', `Write about these:\n\n\`\`\`\n${JSON.stringify(lines(120))}\n\`\`\``, 60],
])('D4.11 the items of a long task are joined without the loss of a word: %s', (_, task, count) => {
  const joined = joinItems(task, 100_000);
  expect(taskItems(joined?.task ?? '')).toHaveLength(count);
  const words = (text: string) => text.match(/\p{L}+/gu);
  expect(words(joined?.task ?? '')).toEqual(words(task));
});

test('D4.11 items are not joined where a word would be lost, or the text would be too long', () => {
  const numbers = lines(120).map((line, at) => `${at + 1}. ${line}`);
  expect(joinItems(`${numbers.join('\n')}\n\nMind the rivers.`, 100_000)).toBeNull();
  expect(joinItems(JSON.stringify({ towns: lines(120) }), 100_000)).toBeNull();
  expect(joinItems(numbers.join('\n'), 1_000)).toBeNull();
});
