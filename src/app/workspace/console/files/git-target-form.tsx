import { type FormEvent, useState } from 'react';
import { useImmer } from 'use-immer';
import { type Forge, forges, type GitTarget } from '../../../../../contract/executions/publishing.ts';
import type { Command } from '../../../../model/commands.ts';
import type { Problem } from '../../../../model/problem.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { Select } from '../../../../ui/controls/fields/select.tsx';
import { TextField } from '../../../../ui/controls/fields/text-field.tsx';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { useDispatch } from '../../../../workers/bridge/use-workspace.ts';
import styles from './publish.module.css';

/** Hosts whose kind is known. */
const forgeOfHost: Record<string, Forge> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'gitea',
  'gitea.com': 'gitea',
};

type GitTargetFormProps = { target: GitTarget | null; onSaved: () => void; onCancel: (() => void) | null };

/** The repository where the runs of the project are published. G3.20 */
export function GitTargetForm({ target, onSaved, onCancel }: GitTargetFormProps) {
  const { t } = useTranslation('console');
  const dispatch = useDispatch();
  const problemText = useProblemText();
  const [form, setForm] = useImmer({
    url: target?.url ?? '',
    baseBranch: target?.baseBranch ?? 'main',
    prefix: target?.prefix ?? 'artel/',
    forge: target?.forge ?? ('none' as Forge),
    paths: target?.paths.join(', ') ?? '',
    token: '',
  });
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const set = (field: 'url' | 'baseBranch' | 'prefix' | 'paths' | 'token') => (event: { target: { value: string } }) => {
    const { value } = event.target;
    setProblem(null);
    setForm((draft) => {
      draft[field] = value;
      const known = field === 'url' ? forgeOfHost[URL.parse(value.trim())?.host ?? ''] : undefined;
      if (known) draft.forge = known;
    });
  };

  const send = async (command: Command) => {
    if (isBusy) return;
    setBusy(true);
    const answer = await dispatch(command);
    setBusy(false);
    if (answer.ok) onSaved();
    else setProblem(answer.error);
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { token, paths: named, ...fields } = form;
    const paths = named.split(',').flatMap((path) => path.trim() || []);
    if (fields.url.trim() === '' || fields.baseBranch.trim() === '') return;
    void send({ type: 'publish.setTarget', target: { ...fields, paths, ...(token.trim() && { token: token.trim() }) } });
  };

  const plain = { size: 's', autoComplete: 'off', spellCheck: false } as const;
  return (
    <form className={styles.form} aria-label={t('publish.title')} onSubmit={submit}>
      <p className={styles.muted}>{t('publish.intro')}</p>
      <div className={styles.fields}>
        <TextField
          {...plain}
          inputMode="url"
          required
          label={t('publish.address')}
          placeholder={t('publish.example')}
          maxLength={2_000}
          value={form.url}
          onChange={set('url')}
        />
        <TextField
          {...plain}
          type="password"
          label={t('publish.token')}
          hint={target?.tokenLast4 ? t('publish.tokenKept', { last: target.tokenLast4 }) : t('publish.tokenHint')}
          maxLength={1_000}
          value={form.token}
          onChange={set('token')}
        />
        <TextField {...plain} required label={t('publish.base')} maxLength={250} value={form.baseBranch} onChange={set('baseBranch')} />
        <TextField {...plain} label={t('publish.prefix')} maxLength={50} value={form.prefix} onChange={set('prefix')} />
        <TextField
          {...plain}
          label={t('publish.paths')}
          placeholder={t('publish.allPaths')}
          maxLength={2_000}
          value={form.paths}
          onChange={set('paths')}
        />
        <Select
          label={t('publish.forge')}
          value={form.forge}
          options={forges.map((value) => ({ value, label: t(`publish.forges.${value}`) }))}
          onChange={(forge) =>
            setForm((draft) => {
              draft.forge = forge;
            })
          }
        />
      </div>
      <div className={styles.actions}>
        <p role="status" className={styles.danger}>
          {problem && problemText(problem)}
        </p>
        {target && (
          <Button size="s" onClick={() => void send({ type: 'publish.removeTarget' })}>
            {t('publish.remove')}
          </Button>
        )}
        {onCancel && (
          <Button size="s" onClick={onCancel}>
            {t('publish.cancel')}
          </Button>
        )}
        <Button size="s" type="submit" variant="primary" busy={isBusy}>
          {t('publish.save')}
        </Button>
      </div>
    </form>
  );
}
