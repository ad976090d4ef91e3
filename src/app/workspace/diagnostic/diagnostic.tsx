import { useCallback, useEffect, useState } from 'react';
import { everyPage } from '../../../model/every-page.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CircleCheck, OctagonX, RefreshCw, TriangleAlert } from '../../../ui/icons/icons.ts';
import { useCall, useStore } from '../../../workers/bridge/use-workspace.ts';
import { type Check, checks, diagnose, type Finding } from './diagnosis.ts';
import styles from './diagnostic.module.css';

/** Checks all dependencies of a run, and shows each outcome. W7.09 */
export function Diagnostic({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation('console');
  const { findings, look } = useDiagnosis(open);
  return (
    <Modal
      open={open}
      onClose={onClose}
      title={t('words:diagnostics')}
      description={t('diagnostic.text')}
      footer={
        <Button icon={<RefreshCw size={15} aria-hidden />} busy={findings === null} onClick={look}>
          {t('diagnostic.again')}
        </Button>
      }
    >
      <ul className={styles.checks} aria-busy={findings === null} data-testid="diagnostic">
        {checks.map((check) => (
          <Line key={check} check={check} finding={findings?.[check] ?? null} />
        ))}
      </ul>
      <p className="visually-hidden" role="status">
        {findings &&
          t('diagnostic.done', { count: checks.filter((check) => findings[check].state === 'good').length, total: checks.length })}
      </p>
    </Modal>
  );
}

const pictures = { good: CircleCheck, warning: TriangleAlert, bad: OctagonX } as const;

function Line({ check, finding }: { check: Check; finding: Finding | null }) {
  const { t } = useTranslation('console');
  const problemText = useProblemText();
  // A test checks that each code of `diagnose` has a text.
  const translate = t as unknown as (key: string, params?: object) => string;
  const Picture = finding && pictures[finding.state];
  return (
    <li data-state={finding?.state ?? 'running'} data-check={check}>
      {Picture ? <Picture size={18} aria-hidden /> : <Spinner size={16} />}
      <span>
        <strong>{t(`diagnostic.checks.${check}`)}</strong>
        {finding && (
          <>
            <span className="visually-hidden">{t(`diagnostic.states.${finding.state}`)} </span>
            <span>{finding.problem ? problemText(finding.problem) : translate(`diagnostic.findings.${finding.code}`, finding.params)}</span>
          </>
        )}
      </span>
    </li>
  );
}

function useDiagnosis(open: boolean): { findings: Record<Check, Finding> | null; look: () => void } {
  const call = useCall();
  const store = useStore();
  const [findings, setFindings] = useState<Record<Check, Finding> | null>(null);
  const [times, setTimes] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each press runs all checks again
  useEffect(() => {
    if (!open) return;
    let wanted = true;
    setFindings(null);
    const asked = performance.now();
    const health = call('health.get').then((answer) => ({ ...answer, ms: performance.now() - asked }));
    void Promise.all([health, everyPage((query) => call('agent.list', { query })), call('auth.profile'), call('auth.config')]).then(
      ([healthAnswer, agents, profile, configuration]) => {
        if (wanted) setFindings(diagnose({ health: healthAnswer, agents, profile, configuration }, store.getState().connection));
      },
    );
    return () => {
      wanted = false;
    };
  }, [open, call, store, times]);
  const look = useCallback(() => setTimes((count) => count + 1), []);
  return { findings, look };
}
