import { useState } from 'react';
import type { ServerTool, ToolPolicy } from '../../../../contract/tool-server.ts';
import { Badge } from '../../../ui/controls/badge.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import { DiffLine } from '../console/files/diff-line.tsx';
import { diffRows } from '../console/files/diff-rows.ts';
import { VisibleText } from '../console/files/visible-text.tsx';
import { LongText } from './long-text.tsx';
import styles from './tools.module.css';

/** How much of a hash and of a description is shown. */
const shownHash = 12;

/** A tool as the server describes it, with its policy. A changed one is off until a person accepts what has changed. G3.29 */
export function ToolRow({ tool, onChanged }: { tool: ServerTool; onChanged: () => void }) {
  const { t } = useTranslation('tool-servers');
  const problemText = useProblemText();
  const { call, problem } = useMutation();
  const [policy, setPolicy] = useState<ToolPolicy>(tool.policy);
  const params = { id: useWorkspace(({ project }) => project?.id ?? ''), toolId: tool.id };
  const { definition, state, change, effect } = tool;

  const choose = async (next: ToolPolicy) => {
    setPolicy(next);
    if (await call('toolServer.setPolicy', { params, body: { policy: next } })) onChanged();
    else setPolicy(tool.policy);
  };
  const accept = async (hash: string) => {
    if (await call('toolServer.accept', { params, body: { hash } })) onChanged();
  };

  return (
    <li className={styles.tool} data-state={state} data-tool={tool.name}>
      <div className={styles.toolHead}>
        <div className={styles.toolName}>
          <code>
            <VisibleText text={tool.name} />
          </code>
          {definition.title && definition.title !== tool.name && (
            <bdi>
              <VisibleText text={definition.title} />
            </bdi>
          )}
          <Badge tone={effect === 'read' ? 'success' : 'neutral'}>{t(`effect.${effect}`)}</Badge>
          {definition.destructive && effect === 'write' && <Badge tone="danger">{t('destructive')}</Badge>}
          {state === 'changed' && <Badge tone="warning">{t('changed')}</Badge>}
          {state === 'missing' && <Badge tone="danger">{t('missing')}</Badge>}
        </div>
        <div className={styles.policy}>
          <Select
            label={t('policyOf', { tool: tool.name })}
            labelHidden
            value={policy}
            options={tool.policies.map((value) => ({ value, label: t(`policies.${value}`) }))}
            disabled={state === 'missing'}
            onChange={(next) => void choose(next)}
          />
        </div>
      </div>
      {definition.description === '' ? (
        <p className={styles.description}>{t('noDescription')}</p>
      ) : (
        <LongText text={definition.description} />
      )}
      <div className={styles.figures}>
        <span>{t('tokens', { count: definition.tokens })}</span>
        <span title={definition.hash}>
          {t('pinnedHash')} <code>{definition.hash.slice(0, shownHash)}</code>
        </span>
        <details>
          <summary>{t('arguments')}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <pre tabIndex={0}>
            <VisibleText text={JSON.stringify(definition.schema, null, 2)} />
          </pre>
        </details>
      </div>
      {change && (
        <section className={styles.change} aria-label={t('changes')}>
          <p>{t('changedText')}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <div className={styles.diff} tabIndex={0} data-testid="tool-diff">
            {diffRows(change.diff).map((row, at) => (
              <DiffLine key={`${at.toString()} ${row.text}`} row={row} whole />
            ))}
          </div>
          <div className={styles.actions}>
            <Button size="s" onClick={() => void choose('never')} disabled={policy === 'never'}>
              {t('leaveOff')}
            </Button>
            <Button size="s" variant="primary" onClick={() => void accept(change.definition.hash)}>
              {t('accept')}
            </Button>
          </div>
        </section>
      )}
      <p role="status" className={styles.danger}>
        {problem && problemText(problem)}
      </p>
    </li>
  );
}
