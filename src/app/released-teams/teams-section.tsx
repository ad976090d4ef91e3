import { useState } from 'react';
import { nameOf } from '../../../rules/card.ts';
import type { Problem } from '../../model/problem.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useProblemText } from '../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Plus } from '../../ui/icons/icons.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import { useStore, useWorkspace } from '../../workers/bridge/use-workspace.ts';
import styles from '../api-list/api-list.module.css';
import { useApi } from '../server-data/api-data.tsx';
import { BeginsWith } from './begins-with.tsx';
import { dialogsOf, presentPipeline } from './present-pipeline.ts';
import { TeamForm } from './team-form.tsx';
import { TeamRow } from './team-row.tsx';
import { type NewTeam, type Teams, useTeams } from './use-teams.ts';

type TeamsSectionProps = { projectId: string; apiBase: string };

/** The released teams of the project: to release, to go back, to call and to try. K4.14 */
export function TeamsSection({ projectId, apiBase }: TeamsSectionProps) {
  const { t } = useTranslation('released-teams');
  const problemText = useProblemText();
  const teams = useTeams(projectId, useApi(apiBase));
  const { list } = teams;
  const [refusal, setRefusal] = useState<Problem | null>(null);
  if (!list.value && !list.problem) return <Loading text={t('common:loading')} className={styles.note} />;
  const shown = refusal ?? teams.problem ?? list.problem;
  return (
    <div className={styles.parts} data-testid="released-teams">
      <p className={styles.note}>{t('lead')}</p>
      {shown && (
        <div role="alert" className={styles.problem}>
          <p>{shown.code === 'release.notSaved' ? t('notSaved') : problemText(shown)}</p>
          {!list.value && (
            <Button size="s" onClick={list.again}>
              {t('words:repeat')}
            </Button>
          )}
        </div>
      )}
      {list.value && <Release teams={teams} onRefused={setRefusal} />}
      {list.value && list.value.length > 0 && (
        <ul className={styles.list} aria-label={t('list')}>
          {list.value.map((team) => (
            <TeamRow key={team.id} team={team} teams={teams} onRefused={setRefusal} />
          ))}
        </ul>
      )}
    </div>
  );
}

type ReleaseProps = { teams: Teams; onRefused: (problem: Problem | null) => void };

/** The button and the form of a new release. */
function Release({ teams, onRefused }: ReleaseProps) {
  const { t } = useTranslation('released-teams');
  const workspace = useStore();
  const { isBusy } = teams;
  const project = useWorkspace((state) => state.project);
  const [isOpen, setIsOpen] = useState(false);
  const [dialogId, setDialogId] = useState(() => dialogsOf(workspace.getState())[0]?.id ?? null);
  const dialog = useWorkspace(({ document }) => (dialogId === null ? null : (document.nodes[dialogId] ?? null)));
  const release = async (team: NewTeam) => {
    const present = presentPipeline(workspace.getState(), dialogId);
    onRefused(present.ok ? null : present.problem);
    if (present.ok && (await teams.release(present.pipeline, team))) setIsOpen(false);
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
