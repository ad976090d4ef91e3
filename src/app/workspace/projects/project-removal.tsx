import { useEffect } from 'react';
import { useImmer } from 'use-immer';
import type { Project } from '../../../../contract/project.ts';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Trash2 } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import styles from './projects.module.css';

type ProjectRemovalProps = { project: Project; open: boolean; onClose: () => void; onRemoved: () => void };

type RemovalState = { uncounted: boolean; busy: boolean; problem: Problem | null };

/** Asks for confirmation before a project is removed, and lists what is removed with it, counted by the server. */
export function ProjectRemoval({ project, open, onClose, onRemoved }: ProjectRemovalProps) {
  const { t } = useTranslation('projects');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const counted = useWorkspace((state) => state.projects.statistics[project.id]);
  const only = useWorkspace((state) => state.projects.items.length === 1);
  const running = useWorkspace((state) => state.projects.runningIds.includes(project.id));
  const [{ uncounted, busy, problem }, update] = useImmer<RemovalState>({ uncounted: false, busy: false, problem: null });

  useEffect(() => {
    void dispatch({ type: 'projects.load' });
    void dispatch({ type: 'project.count', id: project.id }).then((outcome) =>
      update((state) => {
        state.uncounted = !outcome.ok;
      }),
    );
  }, [dispatch, project.id, update]);

  const remove = async () => {
    update((state) => {
      state.busy = true;
    });
    const outcome = await dispatch({ type: 'project.remove', id: project.id });
    update((state) => {
      state.busy = false;
      if (!outcome.ok) state.problem = outcome.error;
    });
    if (outcome.ok) onRemoved();
  };
  const hindrance =
    only || problem?.code === 'conflict' ? t('removal.last') : running || problem?.code === 'illegal_state' ? t('removal.running') : null;

  return (
    <Modal
      open={open}
      onClose={onClose}
      title={t('removal.title', { name: project.name })}
      footer={
        <>
          <Button onClick={onClose}>{t('removal.cancel')}</Button>
          <Button
            variant="danger"
            busy={busy}
            icon={<Trash2 size={16} aria-hidden />}
            disabled={hindrance !== null}
            onClick={() => void remove()}
          >
            {t('removal.action')}
          </Button>
        </>
      }
    >
      <p>{t('removal.text')}</p>
      {counted ? (
        <ul className={styles.lost}>
          <li>{counted.totalAgents === 0 ? t('removal.canvasEmpty') : t('removal.canvas', { count: counted.totalAgents })}</li>
          {counted.totalPipelines > 0 && <li>{t('removal.pipelines', { count: counted.totalPipelines })}</li>}
          {counted.totalExecutions > 0 && <li>{t('removal.runs', { count: counted.totalExecutions })}</li>}
          <li>{t('removal.history')}</li>
        </ul>
      ) : (
        <p className={styles.note} role="status">
          {uncounted ? t('removal.uncounted') : <Spinner size={16} />} {!uncounted && t('removal.counting')}
        </p>
      )}
      <p className={styles.stay}>{t('removal.agentsStay')}</p>
      {(hindrance || problem) && (
        <p className={styles.refused} role="alert">
          {hindrance ?? (problem && problemText(problem))}
        </p>
      )}
    </Modal>
  );
}
