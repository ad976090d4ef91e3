import { useMemo } from 'react';
import type { StepRun } from '../../../../../contract/execution.ts';
import { isTester, type TestReport, testReport } from '../../../../model/test-report.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';

type StepReport = { step: StepRun; report: TestReport };

const reports = new WeakMap<StepRun, TestReport>();

/** What the testers of the run have written, in their order; one that has not answered yet has an empty report. */
export function useTestReports(): StepReport[] {
  const steps = useWorkspace((state) => state.run.steps);
  return useMemo(() => steps.filter((step) => isTester(step.role)).map((step) => ({ step, report: reportOf(step) })), [steps]);
}

/** A text is read once, however often the run changes around it. */
function reportOf(step: StepRun): TestReport {
  const known = reports.get(step);
  if (known) return known;
  const report = testReport(step.result ?? '');
  reports.set(step, report);
  return report;
}
