import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentStatuses } from '../../../contract/agent-statuses.ts';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { CheckedDocument, type UncheckedLink } from '../../../rules/checked-document.ts';
import { brokenRules } from '../../support/canvas/broken-rules.ts';

const keys = ['a', 'b', 'c', 'd', 'e'] as const;
const agents = [
  { id: 'agent-1', status: agentStatuses.active },
  { id: 'agent-2', status: agentStatuses.inactive },
];

const node = fc.record({
  id: fc.constantFrom('a', 'b', 'same', ''),
  type: fc.constantFrom('agent', 'dialog', 'start', 'note', 'wizard') as fc.Arbitrary<CanvasNode['type']>,
  title: fc.constantFrom('Name', 'Other name', ''),
  x: fc.constantFrom(0, Number.NaN),
  y: fc.constant(0),
  isUser: fc.boolean(),
  goal: fc.constantFrom('', 'Goal'),
  serverAgentId: fc.constantFrom('agent-1', 'agent-2', 'gone', undefined),
}) as fc.Arbitrary<CanvasNode>;
const end = (port: string) =>
  fc.option(fc.record({ agentId: fc.constantFrom(...keys, undefined), port: fc.constantFrom(port, 'side') }), { nil: undefined });
const link: fc.Arbitrary<UncheckedLink> = fc.record({ id: fc.constantFrom('l1', 'l2', ''), from: end('out'), to: end('in') });

/** Null removes the record. */
const edit = fc.oneof(
  fc.record({ part: fc.constant('nodes' as const), key: fc.constantFrom(...keys), record: fc.option(node) }),
  fc.record({ part: fc.constant('connections' as const), key: fc.constantFrom(...keys), record: fc.option(link) }),
);
const batch = fc.uniqueArray(edit, { selector: ({ part, key }) => `${part} ${key}`, maxLength: 5 });

const sorted = (problems: readonly object[]) => problems.map((problem) => JSON.stringify(problem)).sort();

test('W5.04 W5.05 after any edits the problems kept are those that a look at the whole document finds', () => {
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 12 }), fc.constantFrom(agents, null), (batches, known) => {
      const document: { nodes: Record<string, CanvasNode>; connections: Record<string, UncheckedLink> } = { nodes: {}, connections: {} };
      const checked = new CheckedDocument(known, [], []);
      for (const edits of batches) {
        for (const { part, key, record } of edits) {
          if (record === null) delete document[part][key];
          else document[part][key] = record as never;
        }
        const touched = <T>(of: string, records: Record<string, T>) =>
          edits.filter(({ part }) => part === of).map(({ key }) => [key, records[key]] as const);
        checked.check(touched('nodes', document.nodes), touched('connections', document.connections));
        expect(sorted(checked.problems())).toEqual(sorted(brokenRules(document, known)));
      }
    }),
    { numRuns: 400 },
  );
});

test('W5.04 W5.05 a record whose id an earlier one takes over is named, although it was not edited', () => {
  const card = (id: string): CanvasNode => ({ id, type: 'note', title: 'Name', x: 0, y: 0 });
  const checked = new CheckedDocument(null, Object.entries({ b: card('b'), a: card('a') }), []);
  checked.check([['b', card('a')]], []);
  expect(checked.problems()).toEqual([{ severity: 'error', code: 'node.idTwice', params: { id: 'a' }, nodeId: 'a' }]);
});

test('W5.04 only as many problems are named as are asked for, errors before warnings', () => {
  const nodes = Object.fromEntries(
    keys.map((key, i) => [key, { id: key, type: 'agent', title: i === 4 ? '' : key, x: 0, y: 0, serverAgentId: key } as CanvasNode]),
  );
  const checked = new CheckedDocument(null, Object.entries(nodes), []);
  expect(checked.problems(3).map(({ code, nodeId }) => [code, nodeId])).toEqual([
    ['agent.titleMissing', 'e'],
    ['agent.colorMissing', 'a'],
    ['agent.colorMissing', 'b'],
  ]);
});
