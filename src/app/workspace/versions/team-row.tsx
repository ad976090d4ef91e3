import { useState } from 'react';
import type { TeamCheck, TeamVersionItem } from '../../../../contract/team-version.ts';
import type { Problem } from '../../../model/problem.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ArchiveRestore, Workflow } from '../../../ui/icons/icons.ts';
import { useDispatch, useRead, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import { useVersionWords } from './use-version-words.ts';
import styles from './versions.module.css';
import { Words } from './words.tsx';

/** A named version of the team. Pressing it shows what is gone or changed, the prompts that a restoration would change, and restores it. */
export function TeamRow({ team, onRestored }: { team: TeamVersionItem; onRestored: () => void }) {
  const { t } = useTranslation('versions');
  const problemText = useProblemText();
  const read = useRead();
  const dispatch = useDispatch();
  const { readOnly } = useWorkspaceContext();
  const { timeOf } = useVersionWords();
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const locked = useWorkspace(({ run }) => isLocked(run));
  const [isOpen, setOpen] = useState(false);
  const [check, setCheck] = useState<TeamCheck | null>(null);
  const [state, setState] = useState<'busy' | 'done' | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { number, name, note, author, at, runs } = team;
  const load = async () => {
    if (projectId === null) return;
    const answer = await read('checkTeamVersion', projectId, number);
    setProblem(answer.ok ? null : answer.error);
    if (answer.ok) setCheck(answer.value);
  };
  const toggle = () => {
    setOpen(!isOpen);
    setState(null);
    if (!isOpen) void load();
  };
  const restore = async () => {
    setState('busy');
    const agentIds = check?.prompts.map(({ agentId }) => agentId) ?? [];
    const outcome = await dispatch({ type: 'version.restoreTeam', version: number, agentIds });
    setState(outcome.ok ? 'done' : null);
    await load();
    if (!outcome.ok) setProblem(outcome.error);
    onRestored();
  };
  return (
    <li className={styles.item} data-marked="hand" data-testid="team-row">
      <button type="button" className={styles.face} aria-expanded={isOpen} onClick={toggle}>
        <strong className={styles.mark}>
          <Workflow size={14} aria-hidden />
          <span>{t('team.named', { name })}</span>
        </strong>
        {note && <span className={styles.text}>{note}</span>}
        <span className={styles.top}>
          <span className={styles.when}>{timeOf({ since: null, at })}</span>
          <span className={styles.author}>{author?.name}</span>
          <span className={styles.number}>{t('team.number', { number })}</span>
        </span>
        <span className={styles.what}>{t('team.runs', { count: runs })}</span>
      </button>
      {isOpen && (
        <div className={styles.promptWords}>
          {!check && !problem && <Spinner size={14} />}
          {check && <Checked check={check} />}
          {problem && (
            <p className={styles.refused} role="alert">
              {problemText(problem)}
            </p>
          )}
          {state === 'done' && <p role="status">{t('team.restored')}</p>}
          {check && !readOnly && (
            <Button
              size="s"
              variant="primary"
              busy={state === 'busy'}
              disabled={locked}
              icon={<ArchiveRestore size={14} aria-hidden />}
              onClick={() => void restore()}
            >
              {check.prompts.length === 0 ? t('team.restoreCanvas') : t('team.restore', { count: check.prompts.length })}
            </Button>
          )}
          {locked && <p className={styles.text}>{t('locked')}</p>}
        </div>
      )}
    </li>
  );
}

/** What is gone or changed, and the prompts that are others now. */
function Checked({ check: { problems, prompts } }: { check: TeamCheck }) {
  const { t } = useTranslation('versions');
  return (
    <>
      {problems.length > 0 && (
        <ul className={styles.trimmed}>
          {problems.map(({ code, agentId, agent, name }) => (
            <li key={`${code} ${agentId} ${name}`}>{t(`team.problem.${code}`, { agent, name })}</li>
          ))}
        </ul>
      )}
      <p className={styles.text}>{prompts.length === 0 ? t('team.samePrompts') : t('team.prompts')}</p>
      {prompts.map(({ agentId, title, now, inVersion }) => (
        <div key={agentId} className={styles.teamPrompt}>
          <strong>{title}</strong>
          <Words before={now} after={inVersion} isShort />
        </div>
      ))}
    </>
  );
}
