import { useState } from 'react';
import { nameOf } from '../../../rules/card.ts';
import type { Problem } from '../../model/problem.ts';
import { useObserved } from '../../state/use-observed.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useProblemText } from '../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Plus } from '../../ui/icons/icons.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import { useStore, useWorkspace } from '../../workers/bridge/use-workspace.ts';
import styles from '../api-list/api-list.module.css';
import { useApiList } from '../api-list/use-api-list.ts';
import { BeginsWith } from './begins-with.tsx';
import { dialogsOf, presentPipeline } from './present-pipeline.ts';
import { TeamForm } from './team-form.tsx';
import { TeamRow } from './team-row.tsx';
import { type NewTeam, TeamStore } from './team-store.ts';

type TeamsSectionProps = { projectId: string; apiBase: string };

/** The released teams of the project: to release, to go back, to call and to try. K4.14 */
export function TeamsSection({ projectId, apiBase }: TeamsSectionProps) {
  const { t } = useTranslation('released-teams');
  const problemText = useProblemText();
  const store = useApiList(apiBase, (api) => new TeamStore(api, projectId));
  const { status, problem, teams } = useObserved(store, store.get);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  if (status === 'loading') return <Loading text={t('common:loading')} className={styles.note} />;
  const shown = refusal ?? problem;
  return (
    <div className={styles.parts} data-testid="released-teams">
      <p className={styles.note}>{t('lead')}</p>
      {shown && (
        <div role="alert" className={styles.problem}>
          <p>{shown.code === 'release.notSaved' ? t('notSaved') : problemText(shown)}</p>
          {status === 'failed' && (
            <Button size="s" onClick={() => void store.load()}>
              {t('words:repeat')}
            </Button>
          )}
        </div>
      )}
      {status === 'ready' && <Release store={store} onRefused={setRefusal} />}
      {teams.length > 0 && (
        <ul className={styles.list} aria-label={t('list')}>
          {teams.map((team) => (
            <TeamRow key={team.id} team={team} store={store} onRefused={setRefusal} />
          ))}
        </ul>
      )}
    </div>
  );
}

type ReleaseProps = { store: TeamStore; onRefused: (problem: Problem | null) => void };

/** The button and the form of a new release. */
function Release({ store, onRefused }: ReleaseProps) {
  const { t } = useTranslation('released-teams');
  const workspace = useStore();
  const { isBusy } = useObserved(store, store.get);
  const project = useWorkspace((state) => state.project);
  const [isOpen, setIsOpen] = useState(false);
  const [dialogId, setDialogId] = useState(() => dialogsOf(workspace.getState())[0]?.id ?? null);
  const dialog = useWorkspace(({ document }) => (dialogId === null ? null : (document.nodes[dialogId] ?? null)));
  const release = async (team: NewTeam) => {
    const present = presentPipeline(workspace.getState(), dialogId);
    onRefused(present.ok ? null : present.problem);
    if (present.ok && (await store.release(present.pipeline, team))) setIsOpen(false);
  };
  if (!isOpen) {
    return (
      <div>
        <Button icon={<Plus size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
          {t('words:release')}
        </Button>
      </div>
    );
  }
  const title = dialog ? nameOf(dialog) : (project?.name ?? '');
  return (
    <div className={styles.parts}>
      <BeginsWith dialogId={dialogId} onChange={setDialogId} />
      <TeamForm
        key={dialogId}
        team={null}
        firstTitle={title.slice(0, 200)}
        isBusy={isBusy}
        submit={t('words:release')}
        onSubmit={(team) => void release(team)}
        onCancel={() => setIsOpen(false)}
      />
    </div>
  );
}
