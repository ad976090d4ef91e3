import type { FormEvent } from 'react';
import { useImmer } from 'use-immer';
import { type Forge, forges, type GitTarget } from '../../../../../../contract/executions/publishing.ts';
import { Button } from '../../../../../ui/controls/buttons/button.tsx';
import { Select } from '../../../../../ui/controls/fields/select.tsx';
import { Switch } from '../../../../../ui/controls/fields/switch.tsx';
import { TextField, type TextFieldProps } from '../../../../../ui/controls/fields/text-field.tsx';
import { useProblemText } from '../../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../../../workers/bridge/use-workspace.ts';
import { useMutation } from '../../../../server-data/use-mutation.ts';
import styles from './publish.module.css';

/** Hosts whose kind is known. */
const forgeOfHost: Record<string, Forge> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'gitea',
  'gitea.com': 'gitea',
};

/** The text fields, with the most characters of each. */
const maxLengths = { url: 2_000, token: 1_000, baseBranch: 250, prefix: 50, paths: 2_000, authorName: 100, authorEmail: 254 };
type TextName = keyof typeof maxLengths;

type GitTargetFormProps = { target: GitTarget | null; onSaved: () => void; onCancel: (() => void) | null };

/** The repository where the runs of the project are published. G3.20 */
export function GitTargetForm({ target, onSaved, onCancel }: GitTargetFormProps) {
  const { t } = useTranslation('publishing');
  const problemText = useProblemText();
  const [form, setForm] = useImmer({
    url: target?.url ?? '',
    baseBranch: target?.baseBranch ?? 'main',
    prefix: target?.prefix ?? 'artel/',
    forge: target?.forge ?? ('none' as Forge),
    authorName: target?.author?.name ?? '',
    authorEmail: target?.author?.email ?? '',
    signsOff: target?.signsOff ?? false,
    paths: target?.paths.join(', ') ?? '',
    token: '',
  });
  const { call, isBusy, problem, clear } = useMutation({ onDone: onSaved });
  const params = { id: useWorkspace(({ project }) => project?.id ?? '') };

  const change = (name: TextName, value: string) => {
    clear();
    setForm((draft) => {
      draft[name] = value;
      const known = name === 'url' ? forgeOfHost[URL.parse(value.trim())?.host ?? ''] : undefined;
      if (known) draft.forge = known;
    });
  };
  const field = (name: TextName, more: Pick<TextFieldProps, 'label'> & Partial<TextFieldProps>) => (
    <TextField
      {...more}
      autoComplete="off"
      spellCheck={false}
      maxLength={maxLengths[name]}
      value={form[name]}
      onChange={(event) => change(name, event.target.value)}
    />
  );

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { token, paths: named, authorName, authorEmail, ...fields } = form;
    const paths = named.split(',').flatMap((path) => path.trim() || []);
    if (fields.url.trim() === '' || fields.baseBranch.trim() === '') return;
    const author = authorName.trim() && authorEmail.trim() ? { name: authorName.trim(), email: authorEmail.trim() } : null;
    void call('project.putGitTarget', { params, body: { ...fields, paths, author, ...(token.trim() && { token: token.trim() }) } });
  };

  return (
    <form className={styles.form} aria-label={t('title')} onSubmit={submit}>
      <p className={styles.muted}>{t('intro')}</p>
      <div className={styles.fields}>
        {field('url', { label: t('address'), placeholder: t('example'), inputMode: 'url', required: true })}
        {field('token', {
          label: t('token'),
          hint: target?.tokenLast4 ? t('tokenKept', { last: target.tokenLast4 }) : t('tokenHint'),
          type: 'password',
        })}
        {field('baseBranch', { label: t('base'), required: true })}
        {field('prefix', { label: t('prefix') })}
        {field('paths', { label: t('words:onlyTheseFolders'), placeholder: t('words:allPathsExample') })}
        {field('authorName', { label: t('authorName'), hint: t('authorHint'), required: form.authorEmail !== '' })}
        {field('authorEmail', { label: t('authorEmail'), type: 'email', required: form.authorName !== '' })}
        <Select
          label={t('forge')}
          value={form.forge}
          options={forges.map((value) => ({ value, label: t(`forges.${value}`) }))}
          onChange={(forge) =>
            setForm((draft) => {
              draft.forge = forge;
            })
          }
        />
      </div>
      <Switch
        label={t('signsOff')}
        checked={form.signsOff}
        onChange={(signsOff) =>
          setForm((draft) => {
            draft.signsOff = signsOff;
          })
        }
      />
      <div className={styles.actions}>
        <p role="status" className={styles.danger}>
          {problem && problemText(problem)}
        </p>
        {target && (
          <Button size="s" onClick={() => void call('project.removeGitTarget', { params })}>
            {t('remove')}
          </Button>
        )}
        {onCancel && (
          <Button size="s" onClick={onCancel}>
            {t('common:cancel')}
          </Button>
        )}
        <Button size="s" type="submit" variant="primary" busy={isBusy}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}
