import { type FormEvent, useState } from 'react';
import { useImmer } from 'use-immer';
import { type Forge, forges, type GitTarget } from '../../../../../contract/executions/publishing.ts';
import type { Command } from '../../../../model/commands.ts';
import type { Problem } from '../../../../model/problem.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { Select } from '../../../../ui/controls/fields/select.tsx';
import { Switch } from '../../../../ui/controls/fields/switch.tsx';
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
  const { t } = useTranslation('publishing');
  const dispatch = useDispatch();
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
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const set =
    (field: 'url' | 'baseBranch' | 'prefix' | 'paths' | 'authorName' | 'authorEmail' | 'token') =>
    (event: { target: { value: string } }) => {
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
    const { token, paths: named, authorName, authorEmail, ...fields } = form;
    const paths = named.split(',').flatMap((path) => path.trim() || []);
    if (fields.url.trim() === '' || fields.baseBranch.trim() === '') return;
    const author = authorName.trim() && authorEmail.trim() ? { name: authorName.trim(), email: authorEmail.trim() } : null;
    void send({ type: 'publish.setTarget', target: { ...fields, paths, author, ...(token.trim() && { token: token.trim() }) } });
  };

  const plain = { size: 's', autoComplete: 'off', spellCheck: false } as const;
  return (
    <form className={styles.form} aria-label={t('title')} onSubmit={submit}>
      <p className={styles.muted}>{t('intro')}</p>
      <div className={styles.fields}>
        <TextField
          {...plain}
          inputMode="url"
          required
          label={t('address')}
          placeholder={t('example')}
          maxLength={2_000}
          value={form.url}
          onChange={set('url')}
        />
        <TextField
          {...plain}
          type="password"
          label={t('token')}
          hint={target?.tokenLast4 ? t('tokenKept', { last: target.tokenLast4 }) : t('tokenHint')}
          maxLength={1_000}
          value={form.token}
          onChange={set('token')}
        />
        <TextField {...plain} required label={t('base')} maxLength={250} value={form.baseBranch} onChange={set('baseBranch')} />
        <TextField {...plain} label={t('prefix')} maxLength={50} value={form.prefix} onChange={set('prefix')} />
        <TextField {...plain} label={t('paths')} placeholder={t('allPaths')} maxLength={2_000} value={form.paths} onChange={set('paths')} />
        <TextField
          {...plain}
          label={t('authorName')}
          hint={t('authorHint')}
          required={form.authorEmail !== ''}
          maxLength={100}
          value={form.authorName}
          onChange={set('authorName')}
        />
        <TextField
          {...plain}
          type="email"
          label={t('authorEmail')}
          required={form.authorName !== ''}
          maxLength={254}
          value={form.authorEmail}
          onChange={set('authorEmail')}
        />
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
          <Button size="s" onClick={() => void send({ type: 'publish.removeTarget' })}>
            {t('remove')}
          </Button>
        )}
        {onCancel && (
          <Button size="s" onClick={onCancel}>
            {t('cancel')}
          </Button>
        )}
        <Button size="s" type="submit" variant="primary" busy={isBusy}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}
