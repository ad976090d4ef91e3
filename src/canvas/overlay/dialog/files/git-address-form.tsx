import { type FormEvent, useState } from 'react';
import type { GitAddress } from '../../../../../contract/input.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { TextField } from '../../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { GitBranch } from '../../../../ui/icons/icons.ts';
import styles from './dialog-files.module.css';

/** The address of a repository whose files go with the next run. The token is sent once and not kept. */
export function GitAddressForm({ onSend }: { onSend: (address: GitAddress) => void }) {
  const { t } = useTranslation('inputs');
  const [{ url, ref, token }, setAddress] = useState({ url: '', ref: '', token: '' });
  const set = (field: 'url' | 'ref' | 'token') => (event: { target: { value: string } }) =>
    setAddress((before) => ({ ...before, [field]: event.target.value }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form is drawn in a portal: the dialog's form would take the event too.
    event.stopPropagation();
    if (url.trim() === '') return;
    onSend({ url: url.trim(), ...(ref.trim() && { ref: ref.trim() }), ...(token.trim() && { token: token.trim() }) });
  };
  const plain = { size: 's', autoComplete: 'off', spellCheck: false } as const;
  return (
    <form className={styles.gitForm} aria-label={t('git.title')} onSubmit={submit}>
      <TextField
        {...plain}
        inputMode="url"
        label={t('git.address')}
        placeholder={t('git.example')}
        maxLength={2_000}
        value={url}
        onChange={set('url')}
      />
      <TextField {...plain} label={t('git.ref')} placeholder={t('git.default')} maxLength={250} value={ref} onChange={set('ref')} />
      <TextField
        {...plain}
        type="password"
        label={t('git.token')}
        hint={t('git.tokenHint')}
        maxLength={1_000}
        value={token}
        onChange={set('token')}
      />
      <Button size="s" type="submit" disabled={url.trim() === ''} icon={<GitBranch size={14} aria-hidden />}>
        {t('git.add')}
      </Button>
    </form>
  );
}
