import { useMemo } from 'react';
import type { StepRun } from '../../../../../contract/executions/execution.ts';
import { isBuilder, isTester, type TestReport, testReport } from '../../../../model/run/test-report.ts';
import { useShownRun } from '../../run/use-shown-run.ts';

type StepReport = { step: StepRun; report: TestReport };

const reports = new WeakMap<StepRun, TestReport>();

/**
 * Returns the reports of the run's testers in order, and of steps for which tests were executed; one without an answer has an empty report. In a run without these it
 * returns the reports of the builders that contain checks.
 */
export function useTestReports(): StepReport[] {
  const { steps } = useShownRun();
  return useMemo(() => {
    const reported = (from: StepRun[]) => from.map((step) => ({ step, report: reportOf(step) }));
    const testers = steps.filter(({ role, testRun }) => isTester(role) || testRun);
    if (testers.length > 0) return reported(testers);
    return reported(steps.filter(({ role }) => isBuilder(role))).filter(({ report }) => report.checks.length > 0);
  }, [steps]);
}

/** Parses the report of a step once, since the run changes often. */
function reportOf(step: StepRun): TestReport {
  const known = reports.get(step);
  if (known) return known;
  const report = testReport(step.result ?? '');
  reports.set(step, report);
  return report;
}
