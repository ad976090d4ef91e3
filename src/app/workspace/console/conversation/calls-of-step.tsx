import { useState } from 'react';
import type { StepRun } from '../../../../../contract/executions/execution.ts';
import type { ToolCall } from '../../../../../contract/executions/tool-call.ts';
import { Badge } from '../../../../ui/controls/badge.tsx';
import { durationText } from '../../../../ui/i18n/duration.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { useRead } from '../../../server-data/use-read.ts';
import { Loaded } from '../files/loaded.tsx';
import { VisibleText } from '../files/visible-text.tsx';
import styles from './calls-of-step.module.css';

/** The calls of tools in a step, whole: events hold their beginnings. They are read when they are opened. G3.03 */
export function CallsOfStep({ executionId, step }: { executionId: string; step: StepRun }) {
  const { t } = useTranslation('tool-servers');
  const [isOpen, setOpen] = useState(false);
  const { stepId, toolUse, status } = step;
  const input = { params: { id: executionId }, query: { stepId } };
  const remote = useRead('execution.toolCalls', isOpen ? input : null, {
    when: `${toolUse?.calls} ${toolUse?.current?.state} ${status}`,
    about: `${executionId} ${stepId}`,
  });
  return (
    <details className={styles.calls} onToggle={(event) => setOpen(event.currentTarget.open)} data-testid="calls-of-step">
      <summary>{t('calls.count', { count: toolUse?.calls ?? 0 })}</summary>
      {isOpen && <Loaded remote={remote}>{(calls) => <CallList calls={calls} made={toolUse?.calls ?? 0} />}</Loaded>}
    </details>
  );
}

/** The calls that are kept. `made`: how many the step has made; those of an old run are removed. R23.04 */
export function CallList({ calls, made }: { calls: readonly ToolCall[]; made: number }) {
  const { t } = useTranslation('tool-servers');
  if (calls.length === 0 && made > 0) return <p>{t('calls.thinned')}</p>;
  return (
    <ol>
      {calls.map((call) => (
        <Call key={`${call.turn} ${call.callId}`} call={call} />
      ))}
    </ol>
  );
}

function Call({ call: { tool, state, args, result, ms } }: { call: ToolCall }) {
  const { t, language } = useTranslation('tool-servers');
  return (
    <li>
      <p>
        <code>{tool}</code>{' '}
        <Badge tone={state === 'failed' || state === 'unknown' ? 'warning' : 'neutral'}>{t(`calls.states.${state}`)}</Badge>
        {ms !== null && <span>{durationText(ms, language)}</span>}
      </p>
      <Text label={t('arguments')} text={args} />
      {result !== null && <Text label={t('words:result')} text={result} />}
    </li>
  );
}

/** Data of a model or of another side: never markup, and without hidden characters. */
function Text({ label, text }: { label: string; text: string }) {
  return (
    <figure>
      <figcaption>{label}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <pre tabIndex={0}>
        <VisibleText text={text} />
      </pre>
    </figure>
  );
}
