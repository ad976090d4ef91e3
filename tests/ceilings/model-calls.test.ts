import { beforeAll, expect, test } from 'vitest';
import { exceeded } from './ceilings.ts';
import type { CallCosts } from './measures/model-calls.ts';
import { runMeasure } from './support/run-measure.ts';

let costs: CallCosts[];

beforeAll(async () => {
  costs = await runMeasure<CallCosts[]>('model-calls.ts');
});

test('a call of a model allocates no more than its protocol may, with one piece and with five hundred', () => {
  expect(costs).toHaveLength(15);
  expect(costs.flatMap(({ protocol, answer, kib }) => exceeded({ [`${protocol}, ${answer}`]: kib }))).toEqual([]);
});

test('the 101st call of a model makes no schema and no web stream', () => {
  const made = costs.flatMap(({ protocol, schemas, streams }) =>
    exceeded({ schemas, 'web streams': streams }).map((line) => `${protocol}: ${line}`),
  );
  expect(made).toEqual([]);
});
