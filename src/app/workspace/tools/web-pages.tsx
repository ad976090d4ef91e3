import { type FormEvent, useState } from 'react';
import { fetchHost, fetchHostsMaxCount } from '../../../../contract/project.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useSend } from '../use-send.ts';
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

/** The hosts of the project whose pages its agents may read. G3.27 */
export function WebPages({ projectId }: { projectId: string }) {
  const { t } = useTranslation('tool-servers');
  const problemText = useProblemText();
  const stored = useWorkspace(({ project }) => project?.fetchHosts?.join('\n') ?? '');
  const { send, isBusy, problem, clear } = useSend();
  /** What is typed and not saved; null for nothing. */
  const [draft, setDraft] = useState<string | null>(null);
  const [isSaved, setSaved] = useState(false);
  const { hosts, wrong } = hostsIn(draft ?? stored);
  const fault = wrong.length > 0 ? t('pages.wrong', { lines: wrong.slice(0, 3).join(', ').slice(0, 200) }) : null;
  const error = fault ?? (hosts.length > fetchHostsMaxCount ? t('pages.tooMany', { limit: fetchHostsMaxCount }) : null);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (error !== null || !(await send({ type: 'project.update', id: projectId, fetchHosts: hosts }))) return;
    setDraft(null);
    setSaved(true);
  };
  return (
    <form className={styles.form} aria-label={t('pages.title')} onSubmit={(event) => void save(event)} data-testid="web-pages">
      <h3 className={styles.pagesTitle}>{t('pages.title')}</h3>
      <p className={styles.none}>{t('pages.about')}</p>
      <TextArea
        label={t('pages.hosts')}
        placeholder={t('pages.example')}
        rows={6}
        maxLength={20_000}
        mono
        spellCheck={false}
        value={draft ?? stored}
        {...(error !== null && { error })}
        onChange={(event) => {
          setDraft(event.target.value);
          setSaved(false);
          clear();
        }}
      />
      <div className={styles.actions}>
        <p role="status" className={problem ? styles.danger : styles.none}>
          {problem ? problemText(problem) : isSaved && t('pages.saved')}
        </p>
        <Button size="s" type="submit" variant="primary" busy={isBusy} disabled={draft === null || error !== null}>
          {t('words:save')}
        </Button>
      </div>
    </form>
  );
}
