import en from '../../../../locales/en/content/simulated-tests.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/simulated-tests.json' with { type: 'json' };
import { simulatedTestRun, tapSummary } from '../../../../rules/simulated/simulated-test-run.ts';
import type { Language } from '../../../http/call.ts';
import type { ExecutedTests } from './test-runs.ts';

const words = { ru, en };

type Simulated = { command: string | null; isRejected: boolean; paths: readonly string[]; startedAt: string };

/** Returns tests that nothing has executed, marked as simulated: one of them fails in the first round of a loop, and passes afterwards. */
export function simulatedTests(language: Language, { command, isRejected, paths, startedAt }: Simulated): ExecutedTests {
  const say = words[language];
  // The file that has the fault, of those that the run has changed.
  const path = paths.find((path) => path.endsWith('/rules.ts')) ?? paths.at(-1) ?? say.noPath;
  const failure = [`not ok 2 - ${say.boundary}`, `  ${say.at.replace('{path}', () => path)}`, `  ${say.expected}`];
  const counts = isRejected ? { passed: 1, failed: 1 } : { passed: 2, failed: 0 };
  const log = [
    say.nothingExecuted,
    'TAP version 13',
    `ok 1 - ${say.main}`,
    ...(isRejected ? failure : [`ok 2 - ${say.boundary}`]),
    '1..2',
    ...tapSummary(counts),
  ].join('\n');
  return { log, run: { ...simulatedTestRun(command ?? 'npm test', counts, startedAt), logEnd: log } };
}
