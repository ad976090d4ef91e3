import { z } from 'zod';
import { type Forge, forges, type GitTarget } from '../../../../../contract/executions/publishing.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { Form } from '../../../../ui/form/form.tsx';
import { FormSelect, FormSwitch, FormText } from '../../../../ui/form/form-fields.tsx';
import { useZodForm } from '../../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { useMutation } from '../../../server-data/use-mutation.ts';
import styles from './publish.module.css';

/** Hosts whose kind is known. */
const forgeOfHost: Record<string, Forge> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'gitea',
  'gitea.com': 'gitea',
};

const settings = z
  .object({
    url: z.string().trim().min(1),
    token: z.string().trim(),
    baseBranch: z.string().trim().min(1),
    prefix: z.string(),
    /** With commas between them. */
    paths: z.string(),
    authorName: z.string().trim(),
    authorEmail: z.string().trim(),
    forge: z.enum(forges),
    signsOff: z.boolean(),
  })
  .refine(({ authorName, authorEmail }) => authorName !== '' || authorEmail === '', { path: ['authorName'] })
  .refine(({ authorName, authorEmail }) => authorEmail !== '' || authorName === '', { path: ['authorEmail'] });

type GitTargetFormProps = { target: GitTarget | null; onSaved: () => void; onCancel: (() => void) | null };

/** The repository where the runs of the project are published. G3.20 */
export function GitTargetForm({ target, onSaved, onCancel }: GitTargetFormProps) {
  const { t } = useTranslation('publishing');
  const form = useZodForm(settings, {
    url: target?.url ?? '',
    token: '',
    baseBranch: target?.baseBranch ?? 'main',
    prefix: target?.prefix ?? 'artel/',
    paths: target?.paths.join(', ') ?? '',
    authorName: target?.author?.name ?? '',
    authorEmail: target?.author?.email ?? '',
    forge: target?.forge ?? ('none' as Forge),
    signsOff: target?.signsOff ?? false,
  });
  const { call, isBusy, problem } = useMutation({ onDone: onSaved });
  const params = { id: useWorkspace(({ project }) => project?.id ?? '') };
  const { authorName, authorEmail } = form.watch();
  const field = <Name extends keyof z.input<typeof settings>>(name: Name, maxLength: number) =>
    ({ form, name, maxLength, autoComplete: 'off', spellCheck: false, error: t('words:fieldRequired') }) as const;
  const chooseKnown = (url: string) => {
    const known = forgeOfHost[URL.parse(url.trim())?.host ?? ''];
    if (known) form.setValue('forge', known);
  };
  const submit = ({ token, paths: named, authorName: name, authorEmail: email, ...fields }: z.output<typeof settings>) => {
    const paths = named.split(',').flatMap((path) => path.trim() || []);
    return call('project.putGitTarget', {
      params,
      body: { ...fields, paths, author: name ? { name, email } : null, ...(token && { token }) },
    });
  };

  return (
    <Form
      {...{ form, problem, isBusy, size: 's', atEnd: true }}
      aria-label={t('title')}
      onSubmit={submit}
      submit={t('save')}
      more={
        <>
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
        </>
      }
    >
      <p className={styles.muted}>{t('intro')}</p>
      <div className={styles.fields}>
        <FormText {...field('url', 2_000)} label={t('address')} placeholder={t('example')} inputMode="url" required onEdit={chooseKnown} />
        <FormText
          {...field('token', 1_000)}
          label={t('token')}
          hint={target?.tokenLast4 ? t('tokenKept', { last: target.tokenLast4 }) : t('tokenHint')}
          type="password"
        />
        <FormText {...field('baseBranch', 250)} label={t('base')} required />
        <FormText {...field('prefix', 50)} label={t('prefix')} />
        <FormText {...field('paths', 2_000)} label={t('words:onlyTheseFolders')} placeholder={t('words:allPathsExample')} />
        <FormText {...field('authorName', 100)} label={t('authorName')} hint={t('authorHint')} required={authorEmail !== ''} />
        <FormText {...field('authorEmail', 254)} label={t('authorEmail')} type="email" required={authorName !== ''} />
        <FormSelect
          {...{ form, name: 'forge' }}
          label={t('forge')}
          options={forges.map((value) => ({ value, label: t(`forges.${value}`) }))}
        />
      </div>
      <FormSwitch {...{ form, name: 'signsOff' }} label={t('signsOff')} />
    </Form>
  );
}
