import { Fragment, useState } from 'react';
import type { PromptChange } from '../../../../contract/agent-change.ts';
import type { VersionGroup, VersionPage } from '../../../../contract/canvas-version.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { SearchField } from '../../../ui/controls/fields/search-field.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { formatBytes } from '../../../ui/i18n/format-bytes.ts';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Bookmark } from '../../../ui/icons/icons.ts';
import { LoadProblem } from '../../../ui/loading/remote-state.tsx';
import { useWorkspaceContext } from '../workspace-context.ts';
import { MarkForm } from './mark-form.tsx';
import { PromptRow } from './prompt-row.tsx';
import { usePromptChanges } from './use-prompt-changes.ts';
import { useVersionWords } from './use-version-words.ts';
import { useVersions } from './use-versions.ts';
import { VersionRow } from './version-row.tsx';
import styles from './versions.module.css';

/** The saved versions by day, newest first; marked ones are found by name. */
export function VersionList({ onOpened }: { onOpened: (name: string) => void }) {
  const { t } = useTranslation('versions');
  const problemText = useProblemText();
  const { mobile, readOnly } = useWorkspaceContext();
  const [search, setSearch] = useState('');
  const [isNaming, setNaming] = useState(false);
  const { items, page, problem: ofVersions, loading, turn, reload, more } = useVersions(search);
  const { dayOf } = useVersionWords();
  // A search is for names of versions. Older changes come with the older versions.
  const oldest = more ? (items.at(-1)?.at ?? null) : null;
  const { changes, problem: ofPrompts } = usePromptChanges(oldest, turn);
  const problem = ofVersions ?? ofPrompts;
  const entries = inOneLine(items, search.trim() === '' ? changes : []);
  return (
    <div className={styles.body}>
      <div className={styles.tools}>
        <SearchField label={t('search')} size={mobile ? 'xl' : 'm'} value={search} maxLength={200} onSearch={setSearch} />
        {!readOnly && (
          <Button
            size={mobile ? 'xl' : 'm'}
            icon={<Bookmark size={15} aria-hidden />}
            aria-expanded={isNaming}
            onClick={() => setNaming(!isNaming)}
          >
            {t('markNow')}
          </Button>
        )}
      </div>
      {isNaming && <MarkForm version={null} mark={null} onDone={() => setNaming(false)} onChanged={reload} />}
      {problem && <LoadProblem className={styles.problem} text={problemText(problem)} retry={t('retry')} busy={loading} onRetry={reload} />}
      <div className={styles.scroller}>
        {items.length === 0 && !problem && (
          <p className={styles.note} role="status">
            {loading ? <Spinner size={16} /> : null} {loading ? t('loading') : t('nothingFound', { search: search.trim() })}
          </p>
        )}
        {byDay(entries, dayOf).map(({ day, entries: ofDay }) => (
          <Fragment key={day}>
            <h3 className={styles.day}>{day}</h3>
            <ul className={styles.list}>
              {ofDay.map((entry) =>
                entry.kind === 'prompt' ? (
                  <PromptRow key={`${entry.change.agentId} ${entry.change.number}`} change={entry.change} />
                ) : (
                  <VersionRow
                    key={entry.group.version}
                    {...{ group: entry.group, onOpened }}
                    isCurrent={entry.group.version === page?.current}
                    onChanged={reload}
                  />
                ),
              )}
            </ul>
          </Fragment>
        ))}
        {more && (
          <Button wide busy={loading} onClick={more}>
            {t('more')}
          </Button>
        )}
        {page && <Sizes page={page} />}
      </div>
    </div>
  );
}

/** What the versions take, and how long they are kept. */
function Sizes({ page: { bytes, maxBytes, keepDays, trimmed } }: { page: VersionPage }) {
  const { t, language } = useTranslation('versions');
  const size = (value: number) => formatBytes(value, language);
  return (
    <footer className={styles.sizes}>
      <p>{t('sizes', { bytes: size(bytes), maxBytes: size(maxBytes) })}</p>
      <p>{t('kept', { count: keepDays })}</p>
      {trimmed !== null && <p className={styles.trimmed}>{t('trimmed', { maxBytes: size(maxBytes) })}</p>}
    </footer>
  );
}

/** What has changed at a moment: the canvas, or a prompt. */
type Entry = { kind: 'canvas'; at: string | null; group: VersionGroup } | { kind: 'prompt'; at: string; change: PromptChange };

/** Both kinds of change, newest first. A version without a time stays behind the one that is newer. */
function inOneLine(groups: readonly VersionGroup[], changes: readonly PromptChange[]): Entry[] {
  const entries: Entry[] = [];
  const prompts = changes.map((change): Entry => ({ kind: 'prompt', at: change.at, change }));
  for (const group of groups) {
    const { at } = group;
    while (at !== null && prompts[0]?.at && prompts[0].at >= at) entries.push(prompts.shift() as Entry);
    entries.push({ kind: 'canvas', at, group });
  }
  return [...entries, ...prompts];
}

function byDay(entries: readonly Entry[], dayOf: (entry: Entry) => string): { day: string; entries: Entry[] }[] {
  const days: { day: string; entries: Entry[] }[] = [];
  for (const entry of entries) {
    const day = dayOf(entry);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}
