import { useState } from 'react';
import type { ToolServer } from '../../../../contract/tool-server.ts';
import type { Problem } from '../../../model/problem.ts';
import { Badge } from '../../../ui/controls/badge.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Globe, Plug, Server } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useRead } from '../../server-data/use-read.ts';
import { Loaded } from '../console/files/loaded.tsx';
import { EmptyState } from '../lists/empty-state.tsx';
import { MasterDetail, MasterRow } from '../lists/master-detail.tsx';
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
    <div data-testid="tools-window">
      <Loaded remote={remote}>
        {(servers) => {
          const wanted = chosen !== null && typeof chosen === 'object' ? chosen.serverId : null;
          const isPages = chosen === 'pages';
          const shown = chosen === 'new' || isPages ? null : (servers.find(({ id }) => id === wanted) ?? servers[0] ?? null);
          const isNew = chosen === 'new' || (servers.length === 0 && wanted !== null && wanted !== first);
          const rows = servers.map((server) => (
            <ServerRow
              key={server.id}
              server={server}
              isShown={server.id === shown?.id}
              onShow={() => setChosen({ serverId: server.id })}
            />
          ));
          rows.push(<PagesRow key="pages" isShown={isPages} onShow={() => setChosen('pages')} />);
          return (
            <MasterDetail label={t('servers')} rows={rows} add={t('connect')} onAdd={() => setChosen('new')}>
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
            </MasterDetail>
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
    <MasterRow
      icon={<Globe size={16} aria-hidden />}
      name={t('pages.title')}
      about={count === 0 ? t('pages.none') : t('pages.count', { count })}
      {...{ isShown, onShow }}
    />
  );
}

function ServerRow({ server, isShown, onShow }: { server: ToolServer; isShown: boolean; onShow: () => void }) {
  const { t } = useTranslation('tool-servers');
  const { name, kind, problem, tools, testedAt } = server;
  const count = tools.pinned + tools.changed;
  return (
    <MasterRow
      icon={<Server size={16} aria-hidden />}
      name={name}
      about={testedAt === null ? t('notTested') : t('toolCount', { count })}
      {...{ isShown, onShow }}
    >
      {kind === 'operator' && <Badge>{t('operator')}</Badge>}
      {problem &&
        (problem.reason === 'sign_in' || problem.reason === 'client_refused' ? (
          <Badge tone="warning">{t('signInNeeded')}</Badge>
        ) : (
          <Badge tone="danger">{t('failed')}</Badge>
        ))}
      {!problem && tools.changed > 0 && <Badge tone="warning">{t('changedCount', { count: tools.changed })}</Badge>}
    </MasterRow>
  );
}
