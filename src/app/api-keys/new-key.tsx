import { z } from 'zod';
import { type ApiKeyCreation, keyNameMaxLength, keyScopes } from '../../../contract/api-key.ts';
import { Form } from '../../ui/form/form.tsx';
import { FormCheckList, FormSelect, FormText } from '../../ui/form/form-fields.tsx';
import { useZodForm } from '../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../workers/bridge/use-workspace.ts';
import styles from '../api-list/api-list.module.css';
import { NewItem } from '../api-list/new-item.tsx';
import { LimitDetails } from '../workspace/budgets/limit-details.tsx';
import { useBudgetDraft } from '../workspace/budgets/use-budget-draft.ts';

const allProjects = 'all';
const lives = ['30', '90', '365', 'never'] as const;
const spans = ['day', 'month'] as const;
const newKey = z.object({
  name: z.string().refine((name) => name.trim() !== ''),
  scopes: z.array(z.enum(keyScopes)).min(1),
  projectId: z.string(),
  days: z.enum(lives),
  span: z.enum(spans),
});
/** What most programs need: to start a run and to read its result. */
const first: z.input<typeof newKey> = { name: '', scopes: ['read', 'run'], projectId: allProjects, days: '90', span: 'month' };

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
  const { t: ofBudgets } = useTranslation('budgets');
  const projects = useWorkspace(({ projects: { items } }) => items);
  const current = useWorkspace(({ project }) => project);
  const form = useZodForm(newKey, first);
  const budget = useBudgetDraft();
  const known = current && !projects.some(({ id }) => id === current.id) ? [current, ...projects] : projects;
  const submit = async ({ name, scopes, projectId, days, span }: z.output<typeof newKey>) => {
    const own = budget.read();
    if (own === null) return;
    await onCreate({
      name,
      scopes,
      projectId: projectId === allProjects ? null : projectId,
      budget: own.budget ? { ...own.budget, span } : null,
      expiresInDays: days === 'never' ? null : Number(days),
    });
  };
  return (
    <Form form={form} onSubmit={submit} onWrong={budget.read} submit={t('new.create')} isBusy={isBusy} onCancel={onCancel}>
      <FormText
        {...{ form, name: 'name', maxLength: keyNameMaxLength, autoFocus: true }}
        label={t('words:name')}
        hint={t('new.nameHint')}
        error={t('new.nameMissing')}
      />
      <FormCheckList
        {...{ form, name: 'scopes' }}
        legend={t('new.scopes')}
        options={keyScopes.map((value) => ({ value, label: t(`scope.${value}.name`), text: t(`scope.${value}.text`) }))}
        error={t('new.scopeMissing')}
      />
      <div className={styles.pair}>
        <FormSelect
          {...{ form, name: 'projectId' }}
          label={t('words:project')}
          options={[{ value: allProjects, label: t('allProjects') }, ...known.map(({ id, name }) => ({ value: id, label: name }))]}
        />
        <FormSelect
          {...{ form, name: 'days' }}
          label={t('new.life')}
          options={lives.map((value) => ({ value, label: value === 'never' ? t('new.never') : t('new.days', { count: Number(value) }) }))}
        />
      </div>
      <LimitDetails title={t('words:budget')} hint={t('new.budgetHint')} {...budget.fields}>
        <FormSelect
          {...{ form, name: 'span' }}
          label={t('new.span')}
          options={spans.map((value) => ({ value, label: ofBudgets(`span.${value}`) }))}
        />
      </LimitDetails>
    </Form>
  );
}
