import { type FormEvent, useState } from 'react';
import { useImmer } from 'use-immer';
import { type ApiKeyCreation, type KeyScope, keyNameMaxLength, keyScopes } from '../../../contract/api-key.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Checkbox } from '../../ui/controls/fields/checkbox.tsx';
import { Select } from '../../ui/controls/fields/select.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../workers/bridge/use-workspace.ts';
import { NewItem } from '../api-list/new-item.tsx';
import { LimitDetails } from '../workspace/budgets/limit-details.tsx';
import { useBudgetDraft } from '../workspace/budgets/use-budget-draft.ts';
import styles from './api-keys.module.css';

type Draft = { name: string; scopes: KeyScope[]; projectId: string; days: string; span: 'day' | 'month' };

const allProjects = 'all';
const lives = ['30', '90', '365', 'never'] as const;
/** What most programs need: to start a run and to read its result. */
const first: Draft = { name: '', scopes: ['read', 'run'], projectId: allProjects, days: '90', span: 'month' };

/** The button and the form of a new key. Resolves `onCreate` with whether the key was created: the form stays if not. */
export function NewKey({ isBusy, onCreate }: { isBusy: boolean; onCreate: (creation: ApiKeyCreation) => Promise<boolean> }) {
  const { t } = useTranslation('api-keys');
  return (
    <NewItem label={t('new.open')}>
      {(close) => <KeyForm isBusy={isBusy} onCancel={close} onCreate={async (creation) => void ((await onCreate(creation)) && close())} />}
    </NewItem>
  );
}

type KeyFormProps = { isBusy: boolean; onCancel: () => void; onCreate: (creation: ApiKeyCreation) => Promise<void> };

function KeyForm({ isBusy, onCancel, onCreate }: KeyFormProps) {
  const { t } = useTranslation('api-keys');
  const projects = useWorkspace(({ projects: { items } }) => items);
  const current = useWorkspace(({ project }) => project);
  const [draft, update] = useImmer(first);
  const [isTried, setIsTried] = useState(false);
  const budget = useBudgetDraft();
  const { name, scopes, projectId, days, span } = draft;
  const hasName = name.trim() !== '';
  const known = current && !projects.some(({ id }) => id === current.id) ? [current, ...projects] : projects;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    const own = budget.read();
    if (!hasName || scopes.length === 0 || own === null) return;
    void onCreate({
      name,
      scopes,
      projectId: projectId === allProjects ? null : projectId,
      budget: own.budget ? { ...own.budget, span } : null,
      expiresInDays: days === 'never' ? null : Number(days),
    });
  };
  const toggle = (scope: KeyScope, isOn: boolean) =>
    update((next) => {
      next.scopes = keyScopes.filter((one) => (one === scope ? isOn : next.scopes.includes(one)));
    });
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={t('words:name')}
        hint={t('new.nameHint')}
        value={name}
        maxLength={keyNameMaxLength}
        autoFocus
        error={isTried && !hasName ? t('new.nameMissing') : undefined}
        onChange={({ target }) =>
          update((next) => {
            next.name = target.value;
          })
        }
      />
      <fieldset className={styles.scopes}>
        <legend>{t('new.scopes')}</legend>
        {keyScopes.map((scope) => (
          <label key={scope} htmlFor={`scope-${scope}`}>
            <Checkbox id={`scope-${scope}`} checked={scopes.includes(scope)} onChange={({ target }) => toggle(scope, target.checked)} />
            <span>
              {t(`scope.${scope}.name`)}
              <small>{t(`scope.${scope}.text`)}</small>
            </span>
          </label>
        ))}
        {isTried && scopes.length === 0 && (
          <p role="alert" className={styles.wrong}>
            {t('new.scopeMissing')}
          </p>
        )}
      </fieldset>
      <div className={styles.pair}>
        <Select
          label={t('words:project')}
          value={projectId}
          options={[
            { value: allProjects, label: t('allProjects') },
            ...known.map((project) => ({ value: project.id, label: project.name })),
          ]}
          onChange={(chosen) =>
            update((next) => {
              next.projectId = chosen;
            })
          }
        />
        <Select
          label={t('new.life')}
          value={days}
          options={lives.map((value) => ({ value, label: value === 'never' ? t('new.never') : t('new.days', { count: Number(value) }) }))}
          onChange={(chosen) =>
            update((next) => {
              next.days = chosen;
            })
          }
        />
      </div>
      <KeyBudget
        {...budget.fields}
        span={span}
        onSpan={(chosen) =>
          update((next) => {
            next.span = chosen;
          })
        }
      />
      <div className={styles.act}>
        <Button type="submit" variant="primary" busy={isBusy}>
          {t('new.create')}
        </Button>
        <Button onClick={onCancel}>{t('common:cancel')}</Button>
      </div>
    </form>
  );
}

type KeyBudgetProps = ReturnType<typeof useBudgetDraft>['fields'] & {
  span: Draft['span'];
  onSpan: (span: Draft['span']) => void;
};

/** What the runs and commands that the key starts may use on a day or in a month. */
function KeyBudget({ span, onSpan, ...fields }: KeyBudgetProps) {
  const { t } = useTranslation('api-keys');
  const { t: ofBudgets } = useTranslation('budgets');
  return (
    <LimitDetails title={t('words:budget')} hint={t('new.budgetHint')} {...fields}>
      <Select
        label={t('new.span')}
        value={span}
        options={(['day', 'month'] as const).map((one) => ({ value: one, label: ofBudgets(`span.${one}`) }))}
        onChange={onSpan}
      />
    </LimitDetails>
  );
}
