import { memo } from 'react';
import type { StepRun } from '../../../../../contract/executions/execution.ts';
import { roleHue } from '../../../../model/agents/roles.ts';
import { countVerdicts, haveTestsFailed, type TestCheck, type TestReport, type TestVerdict } from '../../../../model/run/test-report.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { Spinner } from '../../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { Circle, CircleCheck, Crosshair, FlaskConical, Info, OctagonX } from '../../../../ui/icons/icons.ts';
import { RoleTile } from '../../../../ui/icons/role-icon.tsx';
import { roleIconName } from '../../../../ui/icons/role-icon-name.ts';
import { useShowNode } from '../../camera/use-show-node.ts';
import { EmptyState } from '../../lists/empty-state.tsx';
import { LazyMarkdown } from '../../markdown/lazy-markdown.tsx';
import { SimulatedBadge } from '../../marks/simulated-badge.tsx';
import { useDayText } from '../../time/use-day-text.ts';
import { TestLog, TestOutcome } from './executed-tests.tsx';
import { TestCommand } from './test-command.tsx';
import styles from './tests.module.css';
import { useTestReports } from './use-test-reports.ts';

/** The checks and findings that the run's testers, or else its builders, report, and what a runner has executed. R42.01 */
export const Tests = memo(TestsNow);

function TestsNow() {
  const { t } = useTranslation('console');
  const reports = useTestReports();
  if (reports.length === 0) {
    return (
      <div className={styles.tests}>
        <TestCommand />
        <EmptyState icon={<FlaskConical size={19} aria-hidden />} title={t('test.emptyTitle')}>
          {t('test.empty')}
        </EmptyState>
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <div className={styles.tests} tabIndex={0} data-testid="tests">
      <TestCommand />
      {reports.map(({ step, report }) => (
        <Report key={step.stepId} step={step} report={report} />
      ))}
    </div>
  );
}

function Report({ step, report: { checks, findings } }: { step: StepRun; report: TestReport }) {
  const { t } = useTranslation('console');
  const dayText = useDayText();
  const showNode = useShowNode();
  const counts = countVerdicts(checks);
  const { nodeId, testRun } = step;
  // What the agent calls passed stands below tests that have failed.
  const isRefuted = testRun ? haveTestsFailed(testRun) : false;
  return (
    <article className={styles.report} aria-label={step.name}>
      <div className={styles.side}>
        <header className={styles.who}>
          <RoleTile name={roleIconName(step.role)} hue={roleHue(step.role)} />
          <h2>{step.name}</h2>
          {step.simulated && step.result && <SimulatedBadge />}
        </header>
        {step.completedAt && <p className={styles.when}>{dayText(step.completedAt)}</p>}
        {checks.length > 0 && (
          <dl className={styles.counts} data-testid="test-counts">
            {verdicts.map((verdict) => (
              <div key={verdict} data-verdict={colourOf(verdict, isRefuted)} data-none={counts[verdict] === 0 || undefined}>
                <dd>{counts[verdict]}</dd>
                <dt>{t(`test.counts.${verdict}`)}</dt>
              </div>
            ))}
          </dl>
        )}
        {testRun ? (
          <TestOutcome run={testRun} isWaiting={step.status === 'waiting'} />
        ) : (
          <p className={styles.honest}>
            <Info size={15} aria-hidden />
            <span>{t('test.notExecuted')}</span>
          </p>
        )}
        {nodeId && (
          <Button size="s" icon={<Crosshair size={15} aria-hidden />} onClick={() => showNode(nodeId)}>
            {t('details.show')}
          </Button>
        )}
      </div>
      <div className={styles.found}>
        <StepState step={step} />
        {testRun && <TestLog step={step} run={testRun} />}
        {checks.length > 0 && <Checks checks={checks} isRefuted={isRefuted} />}
        {findings.length > 0 && (
          <section className={styles.findings}>
            <h3>{t('test.findings', { count: findings.length })}</h3>
            <ul>
              {findings.map((finding, index) => (
                <li key={`${index.toString()} ${finding}`}>{finding}</li>
              ))}
            </ul>
          </section>
        )}
        {step.result && (checks.length === 0 ? <LazyMarkdown text={step.result} /> : <Whole text={step.result} />)}
      </div>
    </article>
  );
}

const verdicts: readonly TestVerdict[] = ['passed', 'failed', 'notExecuted'];

function Checks({ checks, isRefuted }: { checks: readonly TestCheck[]; isRefuted: boolean }) {
  const { t } = useTranslation('console');
  const expected = checks.some((check) => check.expected !== '');
  const weight = checks.some((check) => check.weight !== '');
  return (
    <table className={styles.checks}>
      <caption className="visually-hidden">{t('test.checks')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('test.check')}</th>
          {expected && <th scope="col">{t('test.expected')}</th>}
          {weight && <th scope="col">{t('test.weight')}</th>}
          <th scope="col">{t('test.verdict')}</th>
        </tr>
      </thead>
      <tbody>
        {checks.map((check, index) => (
          <tr key={`${check.number} ${index.toString()}`}>
            <th scope="row">
              <small>{check.number}</small>
              {check.text}
            </th>
            {expected && <td>{check.expected}</td>}
            {weight && <td className={styles.weight}>{check.weight}</td>}
            <td>
              <Verdict verdict={check.verdict} isRefuted={isRefuted} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Verdict({ verdict, isRefuted }: { verdict: TestVerdict; isRefuted: boolean }) {
  const { t } = useTranslation('console');
  const Picture = verdict === 'passed' && !isRefuted ? CircleCheck : verdict === 'failed' ? OctagonX : Circle;
  return (
    <span className={styles.verdict} data-verdict={colourOf(verdict, isRefuted)}>
      <Picture size={15} aria-hidden /> {t(`test.verdicts.${verdict}`)}
    </span>
  );
}

/** What colours a verdict: one that executed tests refute has no colour. */
function colourOf(verdict: TestVerdict, isRefuted: boolean): TestVerdict | 'claimed' {
  return verdict === 'passed' && isRefuted ? 'claimed' : verdict;
}

/** The state that is shown instead of a missing report. */
function StepState({ step }: { step: StepRun }) {
  const { t } = useTranslation('console');
  const problemText = useProblemText();
  if (step.error) return <p className={styles.failure}>{problemText({ code: step.error.code, params: { error: step.error.message } })}</p>;
  if (step.result || step.testRun?.state === 'running') return null;
  return (
    <p className={styles.waiting} role="status">
      {step.status === 'running' && <Spinner size={15} />}
      {t(step.status === 'running' ? 'test.running' : step.status === 'pending' ? 'test.waiting' : 'test.none')}
    </p>
  );
}

function Whole({ text }: { text: string }) {
  const { t } = useTranslation('console');
  return (
    <details className={styles.whole}>
      <summary>{t('test.whole')}</summary>
      <LazyMarkdown text={text} />
    </details>
  );
}
