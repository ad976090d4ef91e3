import { useState } from 'react';
import { providerTypes } from '../../../../contract/agent.ts';
import type { VersionCounts } from '../../../../contract/canvas-version.ts';
import type { TeamCheck, TeamRestored } from '../../../../contract/team-version.ts';
import type { Problem } from '../../../model/problem.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ArchiveRestore, RotateCcw } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { TeamChanges } from './team-changes.tsx';
import { useTeamComparison } from './use-team-comparison.ts';
import { useVersionWords } from './use-version-words.ts';
import styles from './versions.module.css';

type TeamRestorationProps = { number: number; onRestored: () => void };

/** What a restoration of a version would change, and what it cannot restore; then the restoration, and the way back. */
export function TeamRestoration({ number, onRestored }: TeamRestorationProps) {
  const { t } = useTranslation('versions');
  const dispatch = useDispatch();
  const { readOnly } = useWorkspaceContext();
  const { changesOf } = useVersionWords();
  const locked = useWorkspace(({ run }) => isLocked(run));
  const { check, canvas, problem: notRead, reload } = useTeamComparison(number);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Problem | null>(null);
  /** What was done last, and the version of the team as it was before; null where only the canvas has changed. */
  const [done, setDone] = useState<{ isBack: boolean; before: TeamRestored['before'] } | null>(null);
  const restore = async (version: number, seen: string, isBack: boolean) => {
    setBusy(true);
    const outcome = await dispatch({ type: 'version.restoreTeam', version, seen });
    setBusy(false);
    setRefused(outcome.ok ? null : outcome.error);
    if (outcome.ok) setDone({ isBack, before: isBack ? null : (outcome.value?.teamBefore ?? null) });
    reload();
    onRestored();
  };
  const isSame = check?.changes.length === 0 && canvas !== null && !differs(canvas);
  return (
    <div className={styles.restoration} data-testid="team-restoration">
      {!check && !notRead && <Spinner size={14} />}
      {check && <Problems check={check} />}
      {check && check.changes.length > 0 && <TeamChanges changes={check.changes} />}
      {canvas && (
        <p className={styles.text}>
          {differs(canvas) ? t('team.canvas', { changes: changesOf({ counts: canvas, changes: 1 }) }) : t('team.sameCanvas')}
        </p>
      )}
      {check?.changes.length === 0 && <p className={styles.text}>{t('team.sameAgents')}</p>}
      <ProblemNote problem={refused ?? notRead} className={styles.refused} />
      {done && <p role="status">{t(done.isBack ? 'team.takenBack' : done.before ? 'team.restored' : 'team.restoredCanvas')}</p>}
      {!readOnly && done?.before && (
        <Button
          size="s"
          busy={isBusy}
          disabled={locked}
          icon={<RotateCcw size={14} aria-hidden />}
          onClick={() => done.before && void restore(done.before.number, done.before.seen, true)}
        >
          {t('team.takeBack')}
        </Button>
      )}
      {!readOnly && check && canvas && !isSame && (
        <Button
          size="s"
          variant="primary"
          busy={isBusy}
          disabled={locked}
          icon={<ArchiveRestore size={14} aria-hidden />}
          onClick={() => void restore(number, check.seen, false)}
        >
          {check.changes.length === 0 ? t('team.restoreCanvas') : t('team.restore')}
        </Button>
      )}
      {!readOnly && check && check.changes.length > 0 && <p className={styles.text}>{t('team.restoreHint')}</p>}
      {locked && <p className={styles.text}>{t('locked')}</p>}
    </div>
  );
}

/** What a restoration leaves as it is, and what a person can do about it. */
function Problems({ check: { problems } }: { check: TeamCheck }) {
  const { t } = useTranslation('versions');
  const { t: ofAgents } = useTranslation('connections');
  if (problems.length === 0) return null;
  const shown = (name: string) => {
    const provider = providerTypes.find((type) => type === name);
    return provider ? ofAgents(`agent.providers.${provider}`) : name;
  };
  return (
    <ul className={`${styles.trimmed} ${styles.problems}`} data-testid="team-problems">
      {problems.map(({ code, agentId, agent, name }) => (
        <li key={`${code} ${agentId} ${name}`}>
          {t(`team.problem.${code}`, { agent, name: code === 'keyGone' ? shown(name) : name })} {t(`team.cure.${code}`)}
        </li>
      ))}
    </ul>
  );
}

function differs(counts: VersionCounts): boolean {
  return Object.values(counts).some((count) => count > 0);
}
