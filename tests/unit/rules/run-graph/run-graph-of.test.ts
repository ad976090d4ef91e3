import { expect, test } from 'vitest';
import { runGraphOf } from '../../../../rules/run-graph/run-graph-of.ts';

const steps = ['a', 'b'].map((id) => ({ id, nodeId: id }));
const inList = steps.map((step) => ({ ...step, groupId: 'each' }));
const groups = [{ id: 'each', onFailure: 'stop' as const }];
const saysGraph = JSON.stringify({ connections: [], flowType: 'graph' });

test('D4.01 a pipeline without links is a graph only where it says so: stored ones, and those of earlier clients, are chains', () => {
  for (const configuration of [undefined, null, '', '{}', 'null', '[', '{"flowType":"sequential"}']) {
    expect(runGraphOf({ steps, links: [], groups: [], maxParallel: 4, configuration })).toBeNull();
    expect(runGraphOf({ steps: inList, links: [], groups, maxParallel: 4, configuration })).toBeNull();
  }
  expect(runGraphOf({ steps, links: [], groups: [], maxParallel: 4, configuration: saysGraph })).toMatchObject({
    links: [],
    maxParallel: 4,
  });
  expect(runGraphOf({ steps: inList, links: [], groups, configuration: saysGraph })).toMatchObject({ links: [], groups, maxParallel: 1 });
  expect(runGraphOf({ steps, links: [], groups: [], maxParallel: 1, configuration: saysGraph })).toBeNull();
});
