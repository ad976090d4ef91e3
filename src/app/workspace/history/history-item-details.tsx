import * as m from 'framer-motion/m';
import { Suspense, useState } from 'react';
import type { ResultItem } from '../../../../contract/executions/result.ts';
import { resultStatus } from '../../../../contract/executions/result-kinds.ts';
import { roleHue } from '../../../model/agents/roles.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { type Fact, Facts } from '../../../ui/controls/facts.tsx';
import { ConfirmDialog } from '../../../ui/controls/overlays/confirm-dialog.tsx';
import { durationText } from '../../../ui/i18n/duration.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { FileText, Rewind, Trash2 } from '../../../ui/icons/icons.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { unfolding } from '../../../ui/motion/transitions.ts';
import { useAppearing } from '../../../ui/motion/use-appearing.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useRead } from '../../server-data/use-read.ts';
import { useCostText } from '../budgets/use-cost-text.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { SimulatedBadge } from '../marks/simulated-badge.tsx';
import { ResultDialog, type ResultDialogProps } from '../windows/result-dialog.tsx';
import styles from './history.module.css';
import { type HistoryDetails, historyDetails } from './history-details.ts';
import { Marked } from './marked.tsx';
import { shortRequest } from './short-message.ts';

const FollowUp = lazyPart(() => import('./follow-up.tsx').then((file) => file.FollowUp));

type HistoryItemDetailsProps = { id: string; item: ResultItem; query: string; onRemoved: (id: string) => void };

/** The details below a history item: its figures, its steps, and what can be done with the run. */
export function HistoryItemDetails({ id, item, query, onRemoved }: HistoryItemDetailsProps) {
  // The list may hold a run that this page follows: its segments are known.
  const steps = useWorkspace((state) => (state.run.execution?.id === item.pipelineExecutionId ? state.run.steps : null));
  const details = historyDetails(item);
  const simulated = details.simulated || (steps?.some((step) => step.simulated) ?? false);
  return (
    <m.div {...useAppearing(unfolding)} className={styles.fold}>
      <div id={id} className={styles.details}>
        <Figures item={item} details={details} />
        {steps && (
          <ol className={styles.segments} aria-hidden>
            {steps.map((step) => (
              <li
                key={step.stepId}
                data-hue={roleHue(step.role)}
                data-status={step.status}
                style={{ flexGrow: Math.max(1, step.durationMs ?? 1) }}
              />
            ))}
          </ol>
        )}
        <div className={styles.actions}>
          <ShowResult item={item} simulated={simulated} marks={details.marks} />
          <RunActions item={item} />
          <RemoveRun item={item} onRemoved={onRemoved} />
          {simulated && <SimulatedBadge />}
        </div>
        {details.tags.length > 0 && (
          <ul className={styles.tags}>
            {details.tags.map((tag) => (
              <li key={tag}>
                <Marked text={tag} query={query} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </m.div>
  );
}

function Figures({ item, details: { executionTimeMs, totalTokens, cost } }: { item: ResultItem; details: HistoryDetails }) {
  const { t, language } = useTranslation('workspace');
  const costText = useCostText();
  const figures: Fact[] = [
    [t('history.type'), item.agentsCount > 1 ? t('history.teamRun') : t('history.dialogRun')],
    [t('words:time'), executionTimeMs === null ? t('duration.unknown') : durationText(executionTimeMs, language)],
    [t('history.agents'), item.agentsCount],
    [t('history.steps'), item.stepsCount],
    [t('words:tokens'), totalTokens?.toLocaleString(language) ?? null],
    [t('words:cost'), cost && costText(cost)],
  ];
  return <Facts facts={figures} />;
}

/** Replay, a run again, comparisons and a follow-up. An item that a client has written may have no execution. */
function RunActions({ item }: { item: ResultItem }) {
  const { t } = useTranslation('workspace');
  const { readOnly } = useWorkspaceContext();
  const { show } = usePanels();
  const dispatch = useDispatch();
  const executionId = item.pipelineExecutionId;
  return (
    <>
      {executionId && (
        <Button size="s" icon={<Rewind size={15} aria-hidden />} onClick={() => void dispatch({ type: 'replay.open', executionId })}>
          {t('history.replay')}
        </Button>
      )}
      {item.status !== resultStatus.processing && !readOnly && (
        <Button size="s" onClick={() => show({ rerun: { executionId, mode: 'from', step: null } })}>
          {t('words:runAgain')}
        </Button>
      )}
      <CompareButtons item={item} />
      {item.publishedBranch && !readOnly && (
        <Suspense fallback={null}>
          <FollowUp executionId={executionId} />
        </Suspense>
      )}
    </>
  );
}

/** Compares a run with another one: a fork with its original, and each run with one that is then chosen in the list. */
function CompareButtons({ item: { pipelineExecutionId, parentExecutionId, status } }: { item: ResultItem }) {
  const { t } = useTranslation('rerun');
  const { demo } = useWorkspaceContext();
  const { show } = usePanels();
  const canChoose = useWorkspace(({ history }) => history.items.length > 1);
  if (!pipelineExecutionId || demo || status === resultStatus.processing) return null;
  return (
    <>
      {parentExecutionId && (
        <Button size="s" onClick={() => show({ compare: { kind: 'runs', left: parentExecutionId, right: pipelineExecutionId } })}>
          {t('compare')}
        </Button>
      )}
      {canChoose && (
        <Button size="s" onClick={() => show({ compareFrom: pipelineExecutionId, historyItemId: null })}>
          {t('compareWith')}
        </Button>
      )}
    </>
  );
}

/** Opens the whole result of a run. The history has only the beginning of a long one; the window reads the whole. */
function ShowResult({ item, ...shown }: Pick<ResultDialogProps, 'simulated' | 'marks'> & { item: ResultItem }) {
  const { t } = useTranslation('workspace');
  const [open, setOpen] = useState(false);
  const input = open && item.finalResultIsCut ? { params: { id: item.id } } : null;
  const { value, problem, again } = useRead('result.get', input, { when: item.updatedAt, about: item.id });
  const text = item.finalResultIsCut ? (value?.finalResult ?? null) : item.finalResult;
  return (
    <>
      <Button
        size="s"
        icon={<FileText size={15} aria-hidden />}
        disabled={item.status === resultStatus.processing}
        onClick={() => setOpen(true)}
      >
        {t('history.showResult')}
      </Button>
      <ResultDialog
        {...shown}
        open={open}
        title={shortRequest(item.userRequest)}
        text={text}
        problem={problem}
        onRetry={again}
        onClose={() => setOpen(false)}
      />
    </>
  );
}

/** Removes a run from the history after a question. */
function RemoveRun({ item, onRemoved }: Pick<HistoryItemDetailsProps, 'item' | 'onRemoved'>) {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="s" variant="ghost" icon={<Trash2 size={15} aria-hidden />} onClick={() => setAsking(true)}>
        {t('history.remove')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('history.removeTitle')}
        action={t('words:delete')}
        destructive
        onConfirm={() => void dispatch({ type: 'history.remove', id: item.id }).then((outcome) => outcome.ok && onRemoved(item.id))}
        onClose={() => setAsking(false)}
      >
        <p>{t('history.removeText', { request: shortRequest(item.userRequest) })}</p>
      </ConfirmDialog>
    </>
  );
}
