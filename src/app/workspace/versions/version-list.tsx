import { Fragment, useState } from 'react';
import type { PromptChange } from '../../../../contract/agent-change.ts';
import type { VersionGroup, VersionPage } from '../../../../contract/canvas-version.ts';
import type { TeamVersionItem } from '../../../../contract/team-version.ts';
import { searchKey } from '../../../../rules/text/search-key.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { SearchField } from '../../../ui/controls/fields/search-field.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { formatBytes } from '../../../ui/i18n/format-bytes.ts';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Bookmark, Rocket, Workflow } from '../../../ui/icons/icons.ts';
import { LoadProblem } from '../../../ui/loading/remote-state.tsx';
import { liveIn, useLiveTeams } from '../../released-teams/use-live-teams.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { MarkForm } from './mark-form.tsx';
import { PromptRow } from './prompt-row.tsx';
import { TeamRow } from './team-row.tsx';
import { usePromptChanges } from './use-prompt-changes.ts';
import { useTeamVersions } from './use-team-versions.ts';
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
  const [naming, setNaming] = useState<'canvas' | 'team' | null>(null);
  const { items, page, problem: ofVersions, loading, turn, reload, more } = useVersions(search);
  const { dayOf } = useVersionWords();
  // A search is for names of versions. Older changes come with the older versions.
  const oldest = more ? (items.at(-1)?.at ?? null) : null;
  const { changes, problem: ofPrompts } = usePromptChanges(oldest, turn);
  const { teams, problem: ofTeams } = useTeamVersions(turn);
  const problem = ofVersions ?? ofPrompts ?? ofTeams;
  const entries = inOneLine(items, { changes: search.trim() === '' ? changes : [], teams: foundTeams(teams, { search, since: oldest }) });
  const live = useLiveTeams();
  const { show } = usePanels();
  const olderThan = (version: number) => Math.max(-1, ...items.map((item) => item.version).filter((other) => other < version));
  return (
    <div className={styles.body}>
      <div className={styles.tools}>
        <SearchField label={t('search')} size={mobile ? 'xl' : 'm'} value={search} maxLength={200} onSearch={setSearch} />
        {!readOnly && (
          <Button
            size={mobile ? 'xl' : 'm'}
            icon={<Bookmark size={15} aria-hidden />}
            aria-expanded={naming === 'canvas'}
            onClick={() => setNaming(naming === 'canvas' ? null : 'canvas')}
          >
            {t('markNow')}
          </Button>
        )}
        {!readOnly && (
          <Button
            size={mobile ? 'xl' : 'm'}
            icon={<Workflow size={15} aria-hidden />}
            title={t('team.saveHint')}
            aria-expanded={naming === 'team'}
            onClick={() => setNaming(naming === 'team' ? null : 'team')}
          >
            {t('team.save')}
          </Button>
        )}
        {!readOnly && (
          <Button
            size={mobile ? 'xl' : 'm'}
            icon={<Rocket size={15} aria-hidden />}
            onClick={() => show({ window: { kind: 'connect', section: 'teams' } })}
          >
            {t('words:release')}
          </Button>
        )}
      </div>
      {naming && (
        <MarkForm key={naming} version={null} mark={null} isTeam={naming === 'team'} onDone={() => setNaming(null)} onChanged={reload} />
      )}
      {problem && (
        <LoadProblem className={styles.problem} text={problemText(problem)} retry={t('words:retry')} busy={loading} onRetry={reload} />
      )}
      <div className={styles.scroller}>
        {entries.length === 0 && !problem && (
          <p className={styles.note} role="status">
            {loading ? <Spinner size={16} /> : null} {loading ? t('loading') : t('nothingFound', { search: search.trim() })}
          </p>
        )}
        {byDay(entries, dayOf).map(({ day, entries: ofDay }) => (
          <Fragment key={day}>
            <h3 className={styles.day}>{day}</h3>
            <ul className={styles.list}>
              {ofDay.map((entry) =>
                entry.kind === 'team' ? (
                  <TeamRow key={entry.team.id} team={entry.team} onRestored={reload} />
                ) : entry.kind === 'prompt' ? (
                  <PromptRow key={`${entry.change.agentId} ${entry.change.number}`} change={entry.change} />
                ) : (
                  <VersionRow
                    key={entry.group.version}
                    {...{ group: entry.group, onOpened }}
                    live={liveIn(live, entry.group.version, olderThan(entry.group.version))}
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

/** What has changed at a moment: the canvas, or a prompt; or a team that was named then. */
type Entry =
  | { kind: 'canvas'; at: string | null; group: VersionGroup }
  | { kind: 'prompt'; at: string; change: PromptChange }
  | { kind: 'team'; at: string; team: TeamVersionItem };

/** Named teams since a moment. A search is for their names and notes, of any time. */
function foundTeams(teams: readonly TeamVersionItem[], { search, since }: { search: string; since: string | null }): TeamVersionItem[] {
  const words = searchKey(search.trim());
  if (words === '') return teams.filter(({ at }) => since === null || at >= since);
  return teams.filter(({ name, note }) => searchKey(`${name}\n${note}`).includes(words));
}

/** All of them in one line of time, newest first. A version without a time stays behind the one that is newer. */
function inOneLine(
  groups: readonly VersionGroup[],
  { changes, teams }: { changes: readonly PromptChange[]; teams: readonly TeamVersionItem[] },
): Entry[] {
  const entries: Entry[] = [];
  const prompts: (Entry & { at: string })[] = [
    ...changes.map((change) => ({ kind: 'prompt' as const, at: change.at, change })),
    ...teams.map((team) => ({ kind: 'team' as const, at: team.at, team })),
  ].sort((one, other) => (one.at < other.at ? 1 : -1));
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
