import { performance } from 'node:perf_hooks';
import { quantile } from '../../statistics.ts';
import { limitOf, withUse } from '../measure/processor-use.ts';
import type { Scenario } from '../scenario.ts';

/** Many runs started at one moment, each of five slow steps. */
export const crowdScenario: Scenario = {
  name: 'crowd',
  run: async (bench) => {
    const runs = bench.quick ? 50 : 200;
    const stepMs = bench.quick ? 400 : 2_000;
    const { account, follower } = await bench.followedAccount(`after-${stepMs}`);
    const begun = performance.now();
    const { value, use } = await withUse(bench.parts(), () =>
      Promise.all(
        Array.from({ length: runs }, async () => {
          const run = await follower.ended(await account.start());
          return { ...run, firstMs: run.firstEventAt - begun };
        }),
      ),
    );
    const what = `${runs} runs at once, five steps of ${stepMs / 1_000} s`;
    const completed = value.filter((run) => run.completed).length;
    const last = Math.max(...value.map(({ endedAt }) => endedAt)) - begun;
    return [
      { what: `${what}, completed`, unit: 'runs', value: completed, floor: { atLeast: runs } },
      {
        ...{
          what: `${what}, first event p99`,
          unit: 'ms',
          value:
            quantile(
              value.map(({ firstMs }) => firstMs),
              0.99,
            ) ?? 0,
        },
        ...(!bench.quick && { floor: { atMost: 1_000 } }),
      },
      {
        ...{ what: `${what}, the last one ended`, unit: 's', value: last / 1_000 },
        ...{ beside: [{ name: 'the steps alone', value: (5 * stepMs) / 1_000 }], note: limitOf(use) },
      },
    ];
  },
};
