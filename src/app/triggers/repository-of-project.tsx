import { useState } from 'react';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { GitBranch } from '../../ui/icons/icons.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import { ReadProblem } from '../server-data/read-problem.tsx';
import { useRead } from '../server-data/use-read.ts';
import { GitTargetForm } from '../workspace/console/files/git-target-form.tsx';
import styles from './triggers.module.css';

/** The repository that runs of the project are published to, whose issues are read; or the settings of one. L4.07 */
export function RepositoryOfProject({ projectId }: { projectId: string }) {
  const { t } = useTranslation('triggers');
  const read = useRead('project.gitTarget', { params: { id: projectId } });
  const [isEditing, setEditing] = useState(false);
  if (!read.value && !read.problem) return <Loading text={t('common:loading')} className={styles.note} />;
  const saved = () => {
    setEditing(false);
    read.again();
  };
  const target = read.value?.target ?? null;
  const needs = target === null ? 'none' : target.forge === 'none' ? 'kind' : target.tokenLast4 === null ? 'token' : null;
  return (
    <section className={styles.box} aria-label={t('repository.title')} data-testid="trigger-repository">
      <ReadProblem remote={read} className={styles.problem} />
      {read.value && (
        <>
          <div className={styles.spread}>
            <p className={styles.address}>
              <GitBranch size={16} aria-hidden /> <bdi>{target?.url ?? t('repository.none')}</bdi>
            </p>
            {!isEditing && (
              <Button size="s" variant={needs === null ? undefined : 'primary'} onClick={() => setEditing(true)}>
                {t(target === null ? 'repository.set' : 'common:change')}
              </Button>
            )}
          </div>
          <p className={styles.note}>{t(needs === null ? 'repository.hint' : `repository.needs.${needs}`)}</p>
        </>
      )}
      {isEditing && <GitTargetForm target={target} onSaved={saved} onCancel={() => setEditing(false)} />}
    </section>
  );
}
