import { compareSteps, type ShortRow } from '../../server/modules/executions/forks/compare-runs.ts';
import { wordDifferences } from '../../src/model/versions/word-differences.ts';
import { recordedRun } from '../../tests/support/engine/recorded-run.ts';
import type { RuleTimes } from './rules.ts';

/** Two runs of 250 cards in a review loop of 20 rounds, of which every third step has another result. */
const steps = 250;
const rounds = 20;
/** Words of two results of which each differs: the most that are compared one by one. */
const words = 1_000;

/** Comparing two runs step by step, with the message to the page, and the results of one pair word by word. */
export function timeComparison(samples: number): RuleTimes[] {
  const left = rowsOf(() => 'left');
  const right = rowsOf((at) => (at % 3 === 0 ? 'right' : 'left'));
  const [before, after] = ['old', 'new'].map((word) => Array.from({ length: words }, (_, at) => `${word}${at}`).join(' ')) as [
    string,
    string,
  ];
  const work = [
    { name: `comparing two runs of ${left.length} steps`, limitMs: 200, run: () => void structuredClone(compareSteps(left, right)) },
    { name: `comparing two results of ${words} other words`, limitMs: 100, run: () => void wordDifferences(before, after) },
  ];
  return work.map(({ name, limitMs, run }) => {
    const times: number[] = [];
    for (let sample = -3; sample < samples; sample += 1) {
      const started = performance.now();
      run();
      if (sample >= 0) times.push(performance.now() - started);
    }
    return { name, limitMs, times };
  });
}

function rowsOf(hashOf: (at: number) => string): ShortRow[] {
  const { details } = recordedRun(steps, rounds);
  return details.steps.map(
    ({ result, ...step }, at) =>
      ({
        ...{ pipelineStepId: null, round: 0, item: 0, triedModel: null, handOff: null, reusedFrom: null, cost: null, ...step },
        ...{ hash: hashOf(at), length: result?.length ?? null },
      }) as unknown as ShortRow,
  );
}
