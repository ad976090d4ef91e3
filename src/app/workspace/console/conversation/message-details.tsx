import { Suspense, useMemo } from 'react';
import { messageLink } from '../../../../model/run/message-link.ts';
import type { MessageCost } from '../../../../model/workspace-state.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../../ui/controls/buttons/icon-button.tsx';
import { durationText } from '../../../../ui/i18n/duration.ts';
import { useLateProblemText } from '../../../../ui/i18n/use-late-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { ArrowRight, Crosshair, Workflow, X } from '../../../../ui/icons/icons.ts';
import { lazyPart } from '../../../../ui/loading/lazy-part.tsx';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { useCostText } from '../../budgets/use-cost-text.ts';
import { useShowLink, useShowNode } from '../../camera/use-show-node.ts';
import { demoFinished } from '../../demo/demo-finished.ts';
import { TryYourself } from '../../demo/try-yourself.tsx';
import { LazyMarkdown } from '../../markdown/lazy-markdown.tsx';
import { CopyButton } from '../../marks/copy-button.tsx';
import { SimulatedBadge } from '../../marks/simulated-badge.tsx';
import { formatClock } from '../../time/format-moment.ts';
import styles from './communication.module.css';
import type { CommunicationRow } from './communication-rows.ts';
import { PartyChip } from './party-chip.tsx';

/** Most messages have no calls. */
const CallsOfStep = lazyPart(() => import('./calls-of-step.tsx').then((file) => file.CallsOfStep));

/** One whole message with its cost. */
export function MessageDetails({ row, onClose }: { row: CommunicationRow; onClose: () => void }) {
  const { t, language } = useTranslation('console');
  const problemText = useLateProblemText();
  const { message, step } = row;
  const text = message.event ? [message.event, ...(message.event.details ?? [])].map(problemText).join('\n\n') : message.text;
  return (
    <aside className={styles.details} aria-label={t('details.title')} data-testid="message-details">
      <div className={styles.detailsHead}>
        <span className={styles.when}>
          {step && <>{t('details.step', { number: step.orderIndex + 1 })} · </>}
          <time dateTime={message.timestamp}>{formatClock(message.timestamp, language)}</time>
        </span>
        <CopyButton text={text} label={t('details.copy')} done={t('common:copied')} />
        <IconButton label={t('words:closeMessage')} icon={<X size={17} />} onClick={onClose} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <div className={styles.detailsBody} tabIndex={0}>
        {row.from && (
          <div className={styles.detailsRoute}>
            <PartyChip party={row.from} />
            {row.to && (
              <>
                <ArrowRight size={15} className={styles.arrow} aria-label={t('to')} />
                <PartyChip party={row.to} />
              </>
            )}
          </div>
        )}
        {message.simulated && (
          <div>
            <SimulatedBadge />
          </div>
        )}
        {message.event ? <p className={styles.eventText}>{text}</p> : <LazyMarkdown text={text} below={1} />}
        {message.event?.code === demoFinished && <TryYourself variant="secondary" />}
        {step?.toolUse && message.executionId !== null && (
          <Suspense fallback={null}>
            <CallsOfStep key={step.stepId} executionId={message.executionId} step={step} />
          </Suspense>
        )}
        <MessageCosts row={row} />
      </div>
      <ShowOnCanvas row={row} />
    </aside>
  );
}

/** What the step of an agent's message took. */
function MessageCosts({ row }: { row: CommunicationRow }) {
  const { t, language } = useTranslation('console');
  const costText = useCostText();
  const { step } = row;
  const cost = costOf(row);
  if (!cost) return null;
  const { totalTokens, durationMs, model } = cost;
  const figures = [
    ['tokens', totalTokens?.toLocaleString(language)],
    ['price', step?.cost && costText(step.cost)],
    ['time', durationMs === null ? null : durationText(durationMs, language)],
  ] as const;
  return (
    <section className={styles.cost}>
      <h2>{t('details.cost')}</h2>
      <dl>
        {figures.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dd>{value}</dd>
                <dt>{t(`details.${name}`)}</dt>
              </div>
            ),
        )}
        {model && (
          <div>
            <dd className={styles.model} title={model}>
              {model}
            </dd>
            <dt>{t('details.model')}</dt>
          </div>
        )}
      </dl>
      {step && step.attempts > 1 && <p className={styles.when}>{t('words:attemptCount', { count: step.attempts })}</p>}
    </section>
  );
}

/** Shows the link that a message went along, and the card of its agent. */
function ShowOnCanvas({ row: { message, step } }: { row: CommunicationRow }) {
  const { t } = useTranslation('console');
  const showNode = useShowNode();
  const showLink = useShowLink();
  const nodeId = step?.nodeId ?? null;
  const run = useWorkspace((state) => state.run);
  const document = useWorkspace((state) => state.document);
  const link = useMemo(() => messageLink(message, run, document), [message, run, document]);
  if (!link && !nodeId) return null;
  return (
    <div className={styles.detailsFoot}>
      {link && (
        <Button wide size="s" icon={<Workflow size={15} aria-hidden />} onClick={() => showLink(link.id)}>
          {t('details.showLink')}
        </Button>
      )}
      {nodeId && (
        <Button wide size="s" icon={<Crosshair size={15} aria-hidden />} onClick={() => showNode(nodeId)}>
          {t(link ? 'details.showCard' : 'details.show')}
        </Button>
      )}
    </div>
  );
}

/** Returns tokens, duration and model of an agent's message; null for others. */
function costOf({ message, step }: CommunicationRow): MessageCost | null {
  if (!message.isAI) return null;
  if (!step) return message.cost;
  return { totalTokens: step.usage?.totalTokens ?? null, durationMs: step.durationMs, model: step.model };
}
