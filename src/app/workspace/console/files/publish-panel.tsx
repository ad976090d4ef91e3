import { useState } from 'react';
import { useImmer } from 'use-immer';
import type { PublicationPlan } from '../../../../../contract/executions/publishing.ts';
import type { Problem } from '../../../../model/problem.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { Checkbox } from '../../../../ui/controls/fields/checkbox.tsx';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { GitBranch, GitPullRequest, PencilLine } from '../../../../ui/icons/icons.ts';
import { useDispatch } from '../../../../workers/bridge/use-workspace.ts';
import type { RemoteData } from '../../lists/use-remote-data.ts';
import { GitTargetForm } from './git-target-form.tsx';
import styles from './publish.module.css';

/** Without a server there is nothing to publish to. */
const withoutServer = new Set(['local.unavailable', 'demo.unavailable']);

/** Publishes a run: the repository of the project, the branch, files that run by themselves, and what was published. G3.21 */
export function PublishPanel({ executionId, plan }: { executionId: string; plan: RemoteData<PublicationPlan> }) {
  const { t } = useTranslation('console');
  const problemText = useProblemText();
  if (plan.problem) {
    if (withoutServer.has(plan.problem.code)) return null;
    return (
      <section className={styles.panel} aria-label={t('publish.title')}>
        <p className={styles.muted}>{plan.problem.code === 'illegal_state' ? t('publish.underWay') : problemText(plan.problem)}</p>
      </section>
    );
  }
  if (!plan.value || plan.value.files === 0) return null;
  return (
    <section className={styles.panel} aria-label={t('publish.title')} data-testid="publish">
      <Plan key={executionId} executionId={executionId} plan={plan.value} onChanged={plan.again} />
    </section>
  );
}

function Plan({ executionId, plan, onChanged }: { executionId: string; plan: PublicationPlan; onChanged: () => void }) {
  const { t } = useTranslation('console');
  const dispatch = useDispatch();
  const problemText = useProblemText();
  const [isEditing, setEditing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [ticked, setTicked] = useImmer<Record<string, boolean>>({});
  const { target, branch, automation, unlisted, publication } = plan;
  const cautioned = [...automation, ...unlisted];

  if (!target || isEditing) {
    return (
      <GitTargetForm
        target={target}
        onSaved={() => {
          setEditing(false);
          onChanged();
        }}
        onCancel={target ? () => setEditing(false) : null}
      />
    );
  }

  const publish = async () => {
    setBusy(true);
    setProblem(null);
    const answer = await dispatch({ type: 'publish.run', executionId, automation: cautioned.filter((path) => ticked[path]) });
    setBusy(false);
    if (!answer.ok) setProblem(answer.error);
    onChanged();
  };
  const isOpen = cautioned.every((path) => ticked[path]);
  const tick = (paths: readonly string[], isTicked: boolean) =>
    setTicked((draft) => {
      for (const path of paths) draft[path] = isTicked;
    });
  const request = publication?.pullRequest;
  return (
    <>
      <div className={styles.target}>
        <p className={styles.route}>
          <GitBranch size={16} aria-hidden />
          <bdi title={target.url}>{target.url.replace(/^https?:\/\//, '')}</bdi>
          <span>{branch}</span> → <span>{target.baseBranch}</span>
        </p>
        <Button size="s" icon={<PencilLine size={14} aria-hidden />} onClick={() => setEditing(true)}>
          {t('publish.edit')}
        </Button>
        <Button
          size="s"
          variant="primary"
          icon={<GitPullRequest size={14} aria-hidden />}
          busy={isBusy}
          disabled={!isOpen}
          onClick={() => void publish()}
        >
          {publication ? t('publish.again') : t('publish.publish')}
        </Button>
      </div>
      <FilesToTick title={t('publish.automation')} paths={automation} ticked={ticked} onTick={tick} />
      <FilesToTick title={t('publish.unlisted')} paths={unlisted} ticked={ticked} onTick={tick} />
      <div role="status" className={styles.status}>
        {problem && <p className={styles.danger}>{problemText(problem)}</p>}
        {publication && (
          <p>
            {t('publish.pushed', { branch: publication.branch, sha: publication.sha.slice(0, 7) })}{' '}
            {request && (
              <a href={request.url} target="_blank" rel="noreferrer">
                {t('publish.request', { number: request.number })}
              </a>
            )}
          </p>
        )}
        {!problem && publication?.problem && <p className={styles.danger}>{publication.problem}</p>}
      </div>
    </>
  );
}

type FilesToTickProps = {
  title: string;
  paths: readonly string[];
  ticked: Readonly<Record<string, boolean>>;
  onTick: (paths: readonly string[], isTicked: boolean) => void;
};

/** Files that go only when a person has ticked each of them. */
function FilesToTick({ title, paths, ticked, onTick }: FilesToTickProps) {
  const { t } = useTranslation('console');
  if (paths.length === 0) return null;
  const isAll = paths.every((path) => ticked[path]);
  return (
    <fieldset className={styles.automation}>
      <legend>{title}</legend>
      {paths.length > 1 && (
        <Button size="s" onClick={() => onTick(paths, !isAll)}>
          {isAll ? t('publish.tickNone') : t('publish.tickAll', { count: paths.length })}
        </Button>
      )}
      {paths.map((path) => (
        <label key={path} htmlFor={`goes-${path}`}>
          <Checkbox id={`goes-${path}`} checked={ticked[path] ?? false} onChange={(event) => onTick([path], event.target.checked)} />
          <bdi>{path}</bdi>
        </label>
      ))}
    </fieldset>
  );
}
