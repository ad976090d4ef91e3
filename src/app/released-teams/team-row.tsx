import { useState } from 'react';
import type { Release, ReleasedTeam, TeamCall } from '../../../contract/released-team.ts';
import type { Problem } from '../../model/problem.ts';
import { Badge } from '../../ui/controls/badge.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import { useStore } from '../../workers/bridge/use-workspace.ts';
import styles from '../api-list/api-list.module.css';
import { LastRuns } from '../api-list/last-runs.tsx';
import { CopyButton } from '../workspace/marks/copy-button.tsx';
import { BeginsWith } from './begins-with.tsx';
import { dialogsOf, presentPipeline } from './present-pipeline.ts';
import { readyLines } from './ready-lines.ts';
import { RunForm } from './run-form.tsx';
import { TeamForm } from './team-form.tsx';
import type { Teams } from './use-teams.ts';

type TeamRowProps = { team: ReleasedTeam; teams: Teams; onRefused: (problem: Problem | null) => void };
type Part = 'try' | 'change' | 'withdraw';

/** A released team: its address, ready lines, its form, its releases and its last calls. */
export function TeamRow({ team, teams, onRefused }: TeamRowProps) {
  const { t } = useTranslation('released-teams');
  const { openId, isBusy } = teams;
  const [part, setPart] = useState<Part | null>(null);
  const { id, title, slug, live } = team;
  const isOpen = openId === id;
  const toggle = (one: Part) => setPart(part === one ? null : one);
  const change = async (next: Parameters<Teams['change']>[1]) => {
    if (await teams.change(id, next)) setPart(null);
  };
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <strong>{title}</strong>
        <Badge tone="success">{t('live', { number: live.number, version: live.version })}</Badge>
      </div>
      <ReadyLines team={team} />
      <div className={styles.act}>
        <Button size="s" aria-expanded={part === 'try'} aria-label={t('try.of', { title })} onClick={() => toggle('try')}>
          {t('words:tryIt')}
        </Button>
        <Button size="s" aria-expanded={isOpen} aria-label={t('historyOf', { title })} onClick={() => teams.open(isOpen ? null : id)}>
          {t('history')}
        </Button>
        <Button size="s" aria-expanded={part === 'change'} aria-label={t('changeOf', { title })} onClick={() => toggle('change')}>
          {t('common:change')}
        </Button>
        {part === 'withdraw' ? (
          <>
            <Button size="s" variant="danger" busy={isBusy} onClick={() => void teams.withdraw(id)}>
              {t('withdrawForGood', { slug })}
            </Button>
            <Button size="s" onClick={() => setPart(null)}>
              {t('words:keep')}
            </Button>
          </>
        ) : (
          <Button size="s" aria-label={t('withdrawOf', { title })} onClick={() => setPart('withdraw')}>
            {t('words:withdraw')}
          </Button>
        )}
      </div>
      {part === 'try' && <RunForm team={team} isBusy={isBusy} onStart={async (form) => (await teams.start(slug, form)) !== null} />}
      {part === 'change' && (
        <TeamForm
          team={team}
          isBusy={isBusy}
          submit={t('words:save')}
          onSubmit={(next) => void change(next)}
          onCancel={() => setPart(null)}
        />
      )}
      {isOpen && <History team={team} teams={teams} onRefused={onRefused} />}
    </li>
  );
}

function ReadyLines({ team }: { team: ReleasedTeam }) {
  const { t } = useTranslation('released-teams');
  const lines = { address: team.address, ...readyLines(team) };
  return (
    <dl className={styles.lines}>
      {(['address', 'curl', 'mcp'] as const).map((name) => (
        <div key={name}>
          <dt>{t(`line.${name}`)}</dt>
          <dd>
            <code>{lines[name]}</code>
            <CopyButton text={lines[name]} label={t('copyOf', { what: t(`line.${name}`), title: team.title })} done={t('common:copied')} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The releases of a team with the live one marked, and its last calls. */
function History({ team, teams, onRefused }: TeamRowProps) {
  const { t } = useTranslation('released-teams');
  const workspace = useStore();
  const { details, isBusy } = teams;
  const [dialogId, setDialogId] = useState(() => dialogsOf(workspace.getState())[0]?.id ?? null);
  if (details === null) return <Loading text={t('common:loading')} className={styles.note} />;
  const releasePresent = () => {
    const present = presentPipeline(workspace.getState(), dialogId);
    onRefused(present.ok ? null : present.problem);
    if (present.ok) void teams.releasePresent(team.id, present.pipeline);
  };
  return (
    <div className={styles.parts}>
      <h4>{t('releases')}</h4>
      <ol className={styles.history} aria-label={t('releasesOf', { title: team.title })}>
        {details.releases.map((release) => (
          <ReleaseRow
            key={release.number}
            release={release}
            isLive={release.number === details.live.number}
            isBusy={isBusy}
            onAgain={() => void teams.releaseAgain(team.id, release.number)}
          />
        ))}
      </ol>
      <BeginsWith dialogId={dialogId} onChange={setDialogId} />
      <div>
        <Button size="s" busy={isBusy} onClick={releasePresent}>
          {t('releasePresent')}
        </Button>
      </div>
      <h4>{t('calls')}</h4>
      {details.calls.length === 0 ? <p className={styles.note}>{t('noCalls')}</p> : <Calls team={team} calls={details.calls} />}
    </div>
  );
}

type ReleaseRowProps = { release: Release; isLive: boolean; isBusy: boolean; onAgain: () => void };

function ReleaseRow({ release: { number, version, releasedBy, releasedAt }, isLive, isBusy, onAgain }: ReleaseRowProps) {
  const { t } = useTranslation('released-teams');
  const momentText = useMomentText();
  return (
    <li aria-current={isLive || undefined}>
      <span>
        {t('releaseNumber', { number, version })} {isLive && <Badge tone="success">{t('isLive')}</Badge>}
        <small>
          {momentText(releasedAt)} · {releasedBy}
        </small>
      </span>
      {!isLive && (
        <Button size="s" busy={isBusy} aria-label={t('againOf', { number })} onClick={onAgain}>
          {t('again')}
        </Button>
      )}
    </li>
  );
}

function Calls({ team: { title, projectId }, calls }: { team: ReleasedTeam; calls: readonly TeamCall[] }) {
  const { t } = useTranslation('released-teams');
  const runs = calls.map(({ by, from, release, ...call }) => ({
    ...call,
    projectId,
    title: by,
    about: [...(from === null ? [] : [t('words:fromAddress', { from })]), t('callRelease', { number: release })],
  }));
  return <LastRuns label={t('callsOf', { title })} runs={runs} />;
}
