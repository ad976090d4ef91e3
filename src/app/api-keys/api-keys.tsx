import { useState } from 'react';
import type { ApiKey } from '../../../contract/api-key.ts';
import { useApiBase } from '../../session/session-provider.tsx';
import { Badge } from '../../ui/controls/badge.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Spinner } from '../../ui/controls/spinner.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../workers/bridge/use-workspace.ts';
import styles from '../api-list/api-list.module.css';
import { LastRuns } from '../api-list/last-runs.tsx';
import { ReadProblem } from '../server-data/read-problem.tsx';
import { LimitBars } from '../workspace/budgets/limit-bars.tsx';
import { CopyButton } from '../workspace/marks/copy-button.tsx';
import { NewKey } from './new-key.tsx';
import { type ApiKeysState, commandWith, useApiKeys } from './use-api-keys.ts';

/** The keys by which programs call for the account: to create, to see when they were used, and to revoke. K2.01 */
export function ApiKeys() {
  const apiBase = useApiBase();
  return apiBase === null ? <Loading /> : <KeysOf apiBase={apiBase} />;
}

function Loading() {
  const { t } = useTranslation('api-keys');
  return (
    <p role="status" className={styles.note}>
      <Spinner size={16} /> {t('loading')}
    </p>
  );
}

function KeysOf({ apiBase }: { apiBase: string }) {
  const { t } = useTranslation('api-keys');
  const keys = useApiKeys();
  const { list, problem, created, isBusy } = keys;
  if (!list.value && !list.problem) return <Loading />;
  return (
    <div className={styles.parts} data-testid="api-keys">
      <p className={styles.note}>
        {t('lead')}{' '}
        <a href={`${apiBase}/docs`} target="_blank" rel="noreferrer">
          {t('docs')}
        </a>
      </p>
      <ReadProblem remote={list} problem={problem} className={styles.problem} />
      {created && <CreatedKey text={created.key} name={created.name} apiBase={apiBase} />}
      {list.value && <NewKey isBusy={isBusy} onCreate={async (creation) => (await keys.create(creation)) !== null} />}
      {list.value && list.value.length > 0 && (
        <ul className={styles.list} aria-label={t('words:apiKeys')}>
          {list.value.map((key) => (
            <KeyRow key={key.id} apiKey={key} keys={keys} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** The text of a new key, which no other call returns, and a command that works with it. */
function CreatedKey({ text, name, apiBase }: { text: string; name: string; apiBase: string }) {
  const { t } = useTranslation('api-keys');
  const command = commandWith(text, new URL(apiBase, location.href).href);
  return (
    <section className={`${styles.created} ${styles.onPage}`} aria-label={t('created.label', { name })}>
      <p role="status">{t('created.once', { name })}</p>
      {(['key', 'command'] as const).map((what) => (
        <div key={what} className={styles.copied}>
          <code data-testid={`new-${what}`}>{what === 'key' ? text : command}</code>
          <CopyButton text={what === 'key' ? text : command} label={t(`created.copy.${what}`)} done={t('common:copied')} />
        </div>
      ))}
    </section>
  );
}

function KeyRow({ apiKey, keys }: { apiKey: ApiKey; keys: ApiKeysState }) {
  const { t } = useTranslation('api-keys');
  const { openId } = keys;
  const [isAsking, setIsAsking] = useState(false);
  const { id, name, prefix, scopes } = apiKey;
  const state = useKeyState(apiKey);
  const isOpen = openId === id;
  return (
    <li className={styles.row} data-over={state.isOver || undefined}>
      <div className={styles.head}>
        <div className={styles.words}>
          <strong>{name}</strong>
          <code>{prefix}…</code>
          {scopes.map((scope) => (
            <Badge key={scope}>{t(`scope.${scope}.name`)}</Badge>
          ))}
          <span className={styles.note}>{state.text}</span>
          {apiKey.budget && <BudgetOfKey budget={apiKey.budget} />}
        </div>
        <div className={styles.act}>
          <Button size="s" aria-expanded={isOpen} aria-label={t('runs.of', { name })} onClick={() => keys.open(isOpen ? null : id)}>
            {t('runs.open')}
          </Button>
          {!state.isOver && !isAsking && (
            <Button size="s" aria-label={t('revoke.of', { name })} onClick={() => setIsAsking(true)}>
              {t('revoke.action')}
            </Button>
          )}
        </div>
      </div>
      {!state.isOver && isAsking && <Revocation id={id} keys={keys} onKeep={() => setIsAsking(false)} />}
      {isOpen && <RunsOfKey name={name} keys={keys} />}
    </li>
  );
}

function Revocation({ id, keys, onKeep }: { id: string; keys: ApiKeysState; onKeep: () => void }) {
  const { t } = useTranslation('api-keys');
  const { isBusy } = keys;
  return (
    <div className={styles.act}>
      <Button size="s" variant="danger" busy={isBusy} onClick={() => void keys.revoke(id)}>
        {t('revoke.confirm')}
      </Button>
      <Button size="s" onClick={onKeep}>
        {t('words:keep')}
      </Button>
    </div>
  );
}

function RunsOfKey({ name, keys }: { name: string; keys: ApiKeysState }) {
  const { t } = useTranslation('api-keys');
  const { runs } = keys;
  if (runs === null) return <Loading />;
  if (runs.length === 0) return <p className={styles.note}>{t('runs.none')}</p>;
  const shown = runs.map(({ from, ...run }) => ({ ...run, about: from === null ? [] : [t('words:fromAddress', { from })] }));
  return <LastRuns label={t('runs.of', { name })} runs={shown} />;
}

function BudgetOfKey({ budget }: { budget: NonNullable<ApiKey['budget']> }) {
  const { t } = useTranslation('budgets');
  return (
    <div className={styles.limits}>
      <span className={styles.note}>{t(`span.${budget.span}`)}</span>
      <LimitBars budget={budget} />
    </div>
  );
}

/** What is known of a key: its project, its last use and its end. */
function useKeyState({ projectId, lastUsedAt, lastUsedFrom, expiresAt, revokedAt }: ApiKey): { text: string; isOver: boolean } {
  const { t } = useTranslation('api-keys');
  const projects = useWorkspace(({ projects: { items } }) => items);
  const moment = useMomentText();
  if (revokedAt !== null) return { text: t('revoked', { at: moment(revokedAt) }), isOver: true };
  if (expiresAt !== null && new Date(expiresAt) <= new Date()) return { text: t('expired', { at: moment(expiresAt) }), isOver: true };
  const project = projects.find(({ id }) => id === projectId)?.name ?? t('oneProject');
  const parts = [
    projectId === null ? t('allProjects') : project,
    lastUsedAt === null ? t('unused') : t('used', { at: moment(lastUsedAt), from: lastUsedFrom ?? '' }),
    ...(expiresAt === null ? [] : [t('expires', { at: moment(expiresAt) })]),
  ];
  return { text: parts.join(' · '), isOver: false };
}
