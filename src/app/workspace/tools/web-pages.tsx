import { useEffect, useState } from 'react';
import { z } from 'zod';
import { fetchHost, fetchHostsMaxCount } from '../../../../contract/project.ts';
import { Form } from '../../../ui/form/form.tsx';
import { FormTextArea } from '../../../ui/form/form-fields.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useSend } from '../frame/use-send.ts';
import styles from './tools.module.css';

/** Returns the hosts of lines, also of whole addresses and of names in other alphabets, and the lines that name none. */
export function hostsIn(text: string): { hosts: string[]; wrong: string[] } {
  const hosts = new Set<string>();
  const wrong: string[] = [];
  for (const line of text.split(/[\s,]+/).filter((one) => one !== '')) {
    const star = line.startsWith('*.') ? '*.' : '';
    const address = /^https?:\/\//i.test(line) ? line : `https://${line.slice(star.length)}`;
    const host = fetchHost.safeParse(URL.canParse(address) ? `${star}${new URL(address).host}` : '');
    if (host.success) hosts.add(host.data);
    else wrong.push(line);
  }
  return { hosts: [...hosts], wrong };
}

const pages = z.object({
  hosts: z
    .string()
    .transform(hostsIn)
    .refine(({ hosts, wrong }) => wrong.length === 0 && hosts.length <= fetchHostsMaxCount),
});

/** The hosts of the project whose pages its agents may read. G3.27 */
export function WebPages({ projectId }: { projectId: string }) {
  const { t } = useTranslation('tool-servers');
  const stored = useWorkspace(({ project }) => project?.fetchHosts?.join('\n') ?? '');
  const { send, isBusy, problem } = useSend();
  const form = useZodForm(pages, { hosts: stored });
  const [isSaved, setSaved] = useState(false);
  const { isDirty } = form.formState;
  const { wrong } = hostsIn(form.watch('hosts'));
  useEffect(() => {
    if (!isDirty) form.reset({ hosts: stored });
  }, [form, isDirty, stored]);

  const save = async ({ hosts: { hosts } }: z.output<typeof pages>) => {
    if (!(await send({ type: 'project.update', id: projectId, fetchHosts: hosts }))) return;
    form.reset({ hosts: hosts.join('\n') });
    setSaved(true);
  };
  return (
    <Form
      {...{ form, problem, isBusy, size: 's', atEnd: true, 'data-testid': 'web-pages' }}
      aria-label={t('pages.title')}
      onSubmit={save}
      submit={t('words:save')}
      isDisabled={!isDirty}
      status={isSaved && !isDirty && problem === null && t('pages.saved')}
    >
      <h3 className={styles.pagesTitle}>{t('pages.title')}</h3>
      <p className={styles.none}>{t('pages.about')}</p>
      <FormTextArea
        {...{ form, name: 'hosts', rows: 6, maxLength: 20_000, mono: true, spellCheck: false }}
        label={t('pages.hosts')}
        placeholder={t('pages.example')}
        error={
          wrong.length > 0
            ? t('pages.wrong', { lines: wrong.slice(0, 3).join(', ').slice(0, 200) })
            : t('pages.tooMany', { limit: fetchHostsMaxCount })
        }
      />
    </Form>
  );
}
