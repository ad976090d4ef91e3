import { useState } from 'react';
import type { ToolServer } from '../../../../contract/tool-server.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { ConfirmDialog } from '../../../ui/controls/overlays/confirm-dialog.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { PencilLine, RefreshCw, Trash2 } from '../../../ui/icons/icons.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import { Loaded } from '../console/files/loaded.tsx';
import { VisibleText } from '../console/files/visible-text.tsx';
import { Detail } from '../lists/master-detail.tsx';
import { useDayText } from '../time/use-day-text.ts';
import { ServerForm } from './server-form.tsx';
import { SignIn } from './sign-in.tsx';
import { ToolRow } from './tool-row.tsx';
import styles from './tools.module.css';
import { useTools } from './use-tools.ts';

type ServerViewProps = { server: ToolServer; onChanged: () => void; onRemoved: () => void };

/** A tool server: how it is reached, what the last test has found, and its tools. G3.31 */
export function ServerView({ server, onChanged, onRemoved }: ServerViewProps) {
  const { t } = useTranslation('tool-servers');
  const dayText = useDayText();
  const problemText = useProblemText();
  const { call, isBusy, problem } = useMutation();
  const [isEditing, setEditing] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const [tests, setTests] = useState(0);
  const { id, projectId, name, url, kind, about, testedAt, keyLast4, refused, refusedCount } = server;
  const params = { id: projectId, serverId: id };
  const remote = useTools(projectId, { serverId: id }, `${testedAt} ${tests}`);

  if (isEditing) {
    return (
      <ServerForm
        server={server}
        onSaved={() => {
          setEditing(false);
          onChanged();
        }}
        onCancel={() => setEditing(false)}
      />
    );
  }

  const test = async () => {
    await call('toolServer.test', { params });
    setTests((count) => count + 1);
    onChanged();
  };
  const remove = async () => {
    setRemoving(false);
    if (await call('toolServer.remove', { params })) onRemoved();
  };
  // The sign-in says itself that it is needed.
  const shownProblem = server.auth.kind === 'account' && server.problem?.reason === 'sign_in' ? null : server.problem;
  const facts = [
    kind === 'operator' ? t('operatorServer') : url,
    about && `${about.name} ${about.version}`,
    keyLast4 && t('keyKept', { last: keyLast4 }),
    testedAt ? t('testedAt', { when: dayText(testedAt) }) : t('notTested'),
  ];
  return (
    <Detail
      name={name}
      facts={facts.map((fact) => fact && <VisibleText key={fact} text={fact} />)}
      above={server.auth.kind === 'account' && <SignIn server={server} />}
      problem={problem ? problemText(problem) : shownProblem?.message}
      buttons={
        <>
          <Button size="s" variant="primary" icon={<RefreshCw size={14} aria-hidden />} busy={isBusy} onClick={() => void test()}>
            {t('words:test')}
          </Button>
          {kind === 'http' && (
            <>
              <Button size="s" icon={<PencilLine size={14} aria-hidden />} onClick={() => setEditing(true)}>
                {t('words:edit')}
              </Button>
              <Button size="s" icon={<Trash2 size={14} aria-hidden />} onClick={() => setRemoving(true)}>
                {t('words:removeForGood')}
              </Button>
            </>
          )}
        </>
      }
    >
      {refusedCount > 0 && (
        <details className={styles.refused}>
          <summary>{t('refusedCount', { count: refusedCount })}</summary>
          <ul>
            {refused.map((tool, at) => (
              <li key={`${at.toString()} ${tool.name}`}>
                <code>
                  <VisibleText text={tool.name} />
                </code>{' '}
                {t(`refusals.${tool.reason === 'too_many' ? 'limit' : tool.reason}`)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {testedAt !== null && (
        <Loaded remote={remote}>
          {(tools) =>
            tools.length === 0 ? (
              !server.problem && <p className={styles.none}>{t('noTools')}</p>
            ) : (
              <>
                <p className={styles.none}>{t('tickHint')}</p>
                <ul className={styles.tools} aria-label={t('tools')}>
                  {tools.map((tool) => (
                    <ToolRow
                      key={`${tool.id} ${tool.definition.hash} ${tool.change?.definition.hash}`}
                      tool={tool}
                      onChanged={() => {
                        remote.again();
                        onChanged();
                      }}
                    />
                  ))}
                </ul>
              </>
            )
          }
        </Loaded>
      )}
      <ConfirmDialog
        open={isRemoving}
        title={t('words:askToRemove', { name })}
        action={t('words:removeForGood')}
        destructive
        onConfirm={() => void remove()}
        onClose={() => setRemoving(false)}
      >
        <p>{t('removeText')}</p>
      </ConfirmDialog>
    </Detail>
  );
}
