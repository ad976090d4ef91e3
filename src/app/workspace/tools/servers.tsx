import { useState } from 'react';
import type { ToolServer } from '../../../../contract/tool-server.ts';
import type { Problem } from '../../../model/problem.ts';
import { Badge } from '../../../ui/controls/badge.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Globe, Plug, Plus, Server } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { Loaded } from '../console/files/loaded.tsx';
import { EmptyState } from '../lists/empty-state.tsx';
import '../lists/list-window.css';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useRead } from '../../server-data/use-read.ts';
import { ServerForm } from './server-form.tsx';
import { ServerView } from './server-view.tsx';
import styles from './tools.module.css';
import { WebPages } from './web-pages.tsx';

/** The server that is shown, the form of a new one, or the hosts of web pages; null for the first server. */
type Chosen = { serverId: string } | 'new' | 'pages' | null;

export type ServersProps = { projectId: string; serverId: string | null; problem: Problem | null };

/** The tool servers of the project, and their tools. G3.31 */
export function Servers({ projectId, serverId: first, problem }: ServersProps) {
  const { t } = useTranslation('tool-servers');
  const [chosen, setChosen] = useState<Chosen>(() => (first === null ? null : { serverId: first }));
  const remote = useRead('toolServer.list', { params: { id: projectId } });
  return (
    <div className={styles.window} data-testid="tools-window">
      <Loaded remote={remote}>
        {(servers) => {
          const wanted = chosen !== null && typeof chosen === 'object' ? chosen.serverId : null;
          const isPages = chosen === 'pages';
          const shown = chosen === 'new' || isPages ? null : (servers.find(({ id }) => id === wanted) ?? servers[0] ?? null);
          const isNew = chosen === 'new' || (servers.length === 0 && wanted !== null && wanted !== first);
          return (
            <>
              <nav className={styles.servers} aria-label={t('servers')}>
                <ul>
                  {servers.map((server) => (
                    <li key={server.id}>
                      <ServerRow server={server} isShown={server.id === shown?.id} onShow={() => setChosen({ serverId: server.id })} />
                    </li>
                  ))}
                  <li>
                    <PagesRow isShown={isPages} onShow={() => setChosen('pages')} />
                  </li>
                </ul>
                <Button size="s" wide icon={<Plus size={15} aria-hidden />} onClick={() => setChosen('new')}>
                  {t('connect')}
                </Button>
              </nav>
              <div className={styles.main}>
                <ProblemNote problem={problem} className={styles.problem} />
                {isNew && (
                  <ServerForm
                    server={null}
                    onSaved={(serverId) => {
                      setChosen({ serverId });
                      remote.again();
                    }}
                    onCancel={() => setChosen(null)}
                  />
                )}
                {!isNew && shown && (
                  <ServerView
                    key={shown.id}
                    server={shown}
                    onChanged={remote.again}
                    onRemoved={() => {
                      setChosen(null);
                      remote.again();
                    }}
                  />
                )}
                {isPages && <WebPages projectId={projectId} />}
                {!isNew && !isPages && !shown && (
                  <EmptyState icon={<Plug size={19} aria-hidden />} title={t('emptyTitle')}>
                    {t('empty')}
                  </EmptyState>
                )}
              </div>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

function PagesRow({ isShown, onShow }: { isShown: boolean; onShow: () => void }) {
  const { t } = useTranslation('tool-servers');
  const count = useWorkspace(({ project }) => project?.fetchHosts?.length ?? 0);
  return (
    <button type="button" className={styles.server} aria-current={isShown || undefined} onClick={onShow}>
      <Globe size={16} aria-hidden />
      <span className={styles.serverName}>
        <bdi>{t('pages.title')}</bdi>
        <small>{count === 0 ? t('pages.none') : t('pages.count', { count })}</small>
      </span>
    </button>
  );
}

function ServerRow({ server, isShown, onShow }: { server: ToolServer; isShown: boolean; onShow: () => void }) {
  const { t } = useTranslation('tool-servers');
  const { name, kind, problem, tools, testedAt } = server;
  const count = tools.pinned + tools.changed;
  return (
    <button type="button" className={styles.server} aria-current={isShown || undefined} onClick={onShow}>
      <Server size={16} aria-hidden />
      <span className={styles.serverName}>
        <bdi>{name}</bdi>
        <small>{testedAt === null ? t('notTested') : t('toolCount', { count })}</small>
      </span>
      {kind === 'operator' && <Badge>{t('operator')}</Badge>}
      {problem &&
        (problem.reason === 'sign_in' || problem.reason === 'client_refused' ? (
          <Badge tone="warning">{t('signInNeeded')}</Badge>
        ) : (
          <Badge tone="danger">{t('failed')}</Badge>
        ))}
      {!problem && tools.changed > 0 && <Badge tone="warning">{t('changedCount', { count: tools.changed })}</Badge>}
    </button>
  );
}
