import { useState } from 'react';
import type { GitTarget } from '../../../contract/executions/publishing.ts';
import type { Api } from '../../api/create-api.ts';
import { useObserved } from '../../state/use-observed.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { GitBranch } from '../../ui/icons/icons.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import { ApiStore } from '../api-list/api-store.ts';
import { StoreProblem } from '../api-list/store-problem.tsx';
import { useApiList } from '../api-list/use-api-list.ts';
import { GitTargetForm } from '../workspace/console/files/pull-request/git-target-form.tsx';
import styles from './triggers.module.css';

class TargetStore extends ApiStore<{ target: GitTarget | null }> {
  readonly #id: string;

  constructor(api: Api, projectId: string) {
    super(api, { target: null });
    this.#id = projectId;
  }

  load(): Promise<boolean> {
    return this.attempt(async () => {
      const { target } = await this.api.call('project.gitTarget', { params: { id: this.#id } });
      this.show({ target, status: 'ready' });
    });
  }
}

/** The repository that runs of the project are published to, whose issues are read; or the settings of one. L4.07 */
export function RepositoryOfProject({ projectId, apiBase }: { projectId: string; apiBase: string }) {
  const { t } = useTranslation('triggers');
  const store = useApiList(apiBase, (api) => new TargetStore(api, projectId));
  const { status, problem, target } = useObserved(store, store.get);
  const [isEditing, setEditing] = useState(false);
  if (status === 'loading') return <Loading text={t('common:loading')} className={styles.note} />;
  const saved = () => {
    setEditing(false);
    void store.load();
  };
  const needs = target === null ? 'none' : target.forge === 'none' ? 'kind' : target.tokenLast4 === null ? 'token' : null;
  return (
    <section className={styles.box} aria-label={t('repository.title')} data-testid="trigger-repository">
      <StoreProblem {...{ status, problem }} className={styles.problem} retry={t('words:repeat')} onRetry={() => void store.load()} />
      {status === 'ready' && (
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
