import { type FormEvent, useEffect, useState } from 'react';
import type { GitTarget } from '../../../../../contract/executions/publishing.ts';
import type { GitAddress } from '../../../../../contract/input.ts';
import type { Dispatch } from '../../../../model/commands.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { TextField } from '../../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { GitBranch } from '../../../../ui/icons/icons.ts';
import styles from './dialog-files.module.css';

/**
 * The address of a repository whose files go with the next run. A token is sent once and not kept, and none is asked for where the project has one
 * for the host.
 */
export function GitAddressForm({ onSend, dispatch }: { onSend: (address: GitAddress) => void; dispatch: Dispatch }) {
  const { t } = useTranslation('inputs');
  const [{ url, ref, paths, token }, setAddress] = useState({ url: '', ref: '', paths: '', token: '' });
  const target = useProjectTarget(dispatch);
  const isProjects = isOfHost(target, url);
  const set = (field: 'url' | 'ref' | 'paths' | 'token') => (event: { target: { value: string } }) =>
    setAddress((before) => ({ ...before, [field]: event.target.value }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form is drawn in a portal: the dialog's form would take the event too.
    event.stopPropagation();
    if (url.trim() === '') return;
    const named = pathsIn(paths);
    onSend({
      url: url.trim(),
      ...(ref.trim() && { ref: ref.trim() }),
      ...(named.length > 0 && { paths: named }),
      ...(token.trim() && !isProjects && { token: token.trim() }),
    });
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
        label={t('words:onlyTheseFolders')}
        placeholder={target?.paths.join(', ') || t('words:allPathsExample')}
        maxLength={2_000}
        value={paths}
        onChange={set('paths')}
      />
      {isProjects ? (
        <p className={styles.hint} role="status" data-testid="project-token">
          {t('git.projectToken', { last: target?.tokenLast4 })}
        </p>
      ) : (
        <TextField
          {...plain}
          type="password"
          label={t('git.token')}
          hint={t('git.tokenHint')}
          maxLength={1_000}
          value={token}
          onChange={set('token')}
        />
      )}
      <Button size="s" type="submit" disabled={url.trim() === ''} icon={<GitBranch size={14} aria-hidden />}>
        {t('git.add')}
      </Button>
    </form>
  );
}

/** Returns the repository that the open project is published to; null without one, and until it is known. */
function useProjectTarget(dispatch: Dispatch): GitTarget | null {
  const [target, setTarget] = useState<GitTarget | null>(null);
  useEffect(() => {
    let isShown = true;
    void dispatch({ type: 'input.readTarget' }).then((answer) => {
      if (isShown && answer.ok) setTarget(answer.value?.gitTarget ?? null);
    });
    return () => {
      isShown = false;
    };
  }, [dispatch]);
  return target;
}

/** Whether the project has a token for the host of an address, which people also paste without its scheme, or as for SSH. */
function isOfHost(target: GitTarget | null, address: string): boolean {
  if (!target?.hasToken) return false;
  const { host } = new URL(target.url);
  const given = /^(?:[a-z+]+:\/\/)?(?:git@)?([^/:\s]+(?::\d+)?)/i.exec(address.trim())?.[1];
  return given?.toLowerCase() === host;
}

/** Returns the paths that a field names, with commas between them. */
function pathsIn(text: string): string[] {
  return text.split(/[,\n]/).flatMap((path) => path.trim() || []);
}
