import { useEffect, useRef, useState } from 'react';
import { useImmer } from 'use-immer';
import type { PublicationPlan } from '../../../../../contract/executions/publishing.ts';
import type { Problem } from '../../../../model/problem.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { Checkbox } from '../../../../ui/controls/fields/checkbox.tsx';
import { Select } from '../../../../ui/controls/fields/select.tsx';
import { TextField } from '../../../../ui/controls/fields/text-field.tsx';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { GitBranch, GitPullRequest, PencilLine } from '../../../../ui/icons/icons.ts';
import { useMutation } from '../../../server-data/use-mutation.ts';
import type { RemoteData } from '../../../server-data/use-read.ts';
import { FollowUp } from '../../history/follow-up.tsx';
import { GitTargetForm } from './git-target-form.tsx';
import styles from './publish.module.css';

/** Without a server there is nothing to publish to. */
const withoutServer = new Set(['local.unavailable', 'demo.unavailable']);

/** Opens the panel. */
export function PublishButton({ onPress }: { onPress: () => void }) {
  const { t } = useTranslation('publishing');
  return (
    <Button variant="primary" icon={<GitPullRequest size={15} aria-hidden />} onClick={onPress}>
      {t('publish')}
    </Button>
  );
}

type PublishPanelProps = {
  executionId: string;
  plan: RemoteData<PublicationPlan>;
  /** A person has asked for it: it takes the focus, and comes into view. */
  isAsked: boolean;
  /** Called when a run was started that goes on with this one. */
  onLeave: () => void;
};

/** Publishes a run: the repository of the project, the branch, files that run by themselves, and what was published. G3.21 */
export function PublishPanel({ executionId, plan, isAsked, onLeave }: PublishPanelProps) {
  const { t } = useTranslation('publishing');
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isAsked) panel.current?.focus();
  }, [isAsked]);
  const problemText = useProblemText();
  if (plan.problem) {
    if (withoutServer.has(plan.problem.code)) return null;
    return (
      <section className={styles.panel} aria-label={t('title')}>
        <p className={styles.muted}>{plan.problem.code === 'illegal_state' ? t('underWay') : problemText(plan.problem)}</p>
      </section>
    );
  }
  if (!plan.value || plan.value.files === 0) return null;
  return (
    <section ref={panel} tabIndex={-1} className={styles.panel} aria-label={t('title')} data-testid="publish">
      <Plan key={executionId} executionId={executionId} plan={plan.value} onChanged={plan.again} onLeave={onLeave} />
    </section>
  );
}

type PlanProps = { executionId: string; plan: PublicationPlan; onChanged: () => void; onLeave: () => void };

function Plan({ executionId, plan, onChanged, onLeave }: PlanProps) {
  const { t } = useTranslation('publishing');
  const [isEditing, setEditing] = useState(false);
  const { call, isBusy, problem } = useMutation();
  const [ticked, setTicked] = useImmer<Record<string, boolean>>({});
  const [branch, setBranch] = useState(plan.branch);
  const [asked, setAsked] = useState<string | null>(null);
  const { target, branches, automation, unlisted, publication } = plan;
  const chosen = branches.find(({ name }) => name === branch) ?? branches[0];
  const cautioned = [...automation, ...unlisted];

  if (!target || !chosen || isEditing) {
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

  const base = chosen.isNew ? (asked?.trim() ?? chosen.base) : chosen.base;
  const publish = async () => {
    const body = { automation: cautioned.filter((path) => ticked[path]), branch: chosen.name, ...(chosen.isNew && { base }) };
    await call('execution.publish', { params: { id: executionId }, body });
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
          <span>{chosen.name}</span> → <span>{base}</span>
        </p>
        <Button size="s" icon={<PencilLine size={14} aria-hidden />} onClick={() => setEditing(true)}>
          {t('edit')}
        </Button>
        <Button
          size="s"
          variant="primary"
          icon={<GitPullRequest size={14} aria-hidden />}
          busy={isBusy}
          disabled={!isOpen || base === ''}
          onClick={() => void publish()}
        >
          {publication ? t('again') : t('publish')}
        </Button>
      </div>
      <WhereTo plan={plan} chosen={chosen} base={asked ?? chosen.base} onBranch={setBranch} onBase={setAsked} />
      <FilesToTick title={t('automation')} paths={automation} ticked={ticked} onTick={tick} />
      <FilesToTick title={t('unlisted')} paths={unlisted} ticked={ticked} onTick={tick} />
      <div role="status" className={styles.status}>
        {problem && <Refusal problem={problem} />}
        {publication && (
          <p>
            {t('pushed', { branch: publication.branch, sha: publication.sha.slice(0, 7) })}{' '}
            {request && (
              <a href={request.url} target="_blank" rel="noreferrer">
                {t('request', { number: request.number })}
              </a>
            )}
          </p>
        )}
        {!problem && publication && publication.renamed.length > 0 && (
          <ul className={styles.conflicts}>
            {publication.renamed.map(({ path, from }) => (
              <li key={path}>{t('followed', { path, from })}</li>
            ))}
          </ul>
        )}
        {!problem && publication?.problem && <p className={styles.danger}>{publication.problem}</p>}
      </div>
      {publication && <FollowUp executionId={executionId} onStarted={onLeave} />}
    </>
  );
}

type WhereToProps = {
  plan: PublicationPlan;
  chosen: PublicationPlan['branches'][number];
  base: string;
  onBranch: (name: string) => void;
  onBase: (name: string) => void;
};

/** The branch that the run is pushed to, the one that it is for, and who its commit is by. C7.01 C7.03 */
function WhereTo({ plan: { branches, author, authorProblem }, chosen, base, onBranch, onBase }: WhereToProps) {
  const { t } = useTranslation('publishing');
  const options = branches.map(({ name, isNew }) => ({ value: name, label: isNew ? t('newBranch', { branch: name }) : name }));
  return (
    <>
      {(branches.length > 1 || chosen.isNew) && (
        <div className={styles.fields}>
          {branches.length > 1 && <Select label={t('toBranch')} value={chosen.name} options={options} onChange={onBranch} />}
          {chosen.isNew && (
            <TextField
              size="s"
              label={t('target')}
              maxLength={250}
              spellCheck={false}
              autoComplete="off"
              value={base}
              onChange={(event) => onBase(event.target.value)}
            />
          )}
        </div>
      )}
      <p className={styles.muted}>{author ? t('author', author) : authorProblem}</p>
    </>
  );
}

/** Why a run was not published, with the lines that conflict. C7.02 */
function Refusal({ problem }: { problem: Problem }) {
  const problemText = useProblemText();
  return (
    <>
      <p className={styles.danger}>{problemText(problem)}</p>
      {problem.details && (
        <ul className={styles.conflicts}>
          {problem.details.map(({ params }) => (
            <li key={`${params?.path} ${params?.message}`}>
              <bdi>{params?.path}</bdi> {params?.message}
            </li>
          ))}
        </ul>
      )}
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
  const { t } = useTranslation('publishing');
  if (paths.length === 0) return null;
  const isAll = paths.every((path) => ticked[path]);
  return (
    <fieldset className={styles.automation}>
      <legend>{title}</legend>
      {paths.length > 1 && (
        <Button size="s" onClick={() => onTick(paths, !isAll)}>
          {isAll ? t('tickNone') : t('tickAll', { count: paths.length })}
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
