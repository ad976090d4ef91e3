import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { usePickServer } from '../../session/session-provider.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { importPart } from '../../ui/loading/import-part.ts';
import { useChosenPlan } from '../pricing/chosen-plan.tsx';
import { emptyLead, isCompleteLead, type LeadDraft, withPlanComment, writtenLead } from './lead-draft.ts';

type LeadForm = {
  draft: LeadDraft;
  change: (part: Partial<LeadDraft>) => void;
  canSend: boolean;
  sending: boolean;
  /** The outcome of the last sending; null before, and after a change. */
  outcome: 'success' | 'error' | null;
  /** When the server accepts another request, if it has sent that. */
  wait: RetryWait | null;
  send: () => Promise<void>;
};

/** The demo request: emptied after a success, kept after a failure. P4.10 */
export function useLeadForm(form: RefObject<HTMLFormElement | null>): LeadForm {
  const { language } = useTranslation('landing');
  const pickServer = usePickServer();
  const [draft, setDraft] = useState(emptyLead);
  const [sending, setSending] = useState(false);
  const [outcome, setOutcome] = useState<LeadForm['outcome']>(null);
  const [wait, setWait] = useState<RetryWait | null>(null);
  // A browser restores typed text on a reload, before the script hydrates the page.
  useLayoutEffect(() => {
    if (form.current) setDraft(writtenLead(new FormData(form.current)));
  }, [form]);
  usePlanComment(setDraft);

  const change = (part: Partial<LeadDraft>) => {
    setDraft((now) => ({ ...now, ...part }));
    setOutcome(null);
  };

  const send = async () => {
    if (sending || !isCompleteLead(draft)) return;
    setSending(true);
    setOutcome(null);
    try {
      // The API client loads with the first request: most visitors send none.
      const { sendLead } = await importPart(() => import('./send-lead.ts'));
      await sendLead(await pickServer(), language, draft);
      setDraft(emptyLead);
      setOutcome('success');
    } catch (problem) {
      // biome-ignore lint/suspicious/noConsole: a failure is logged without the visitor's text
      console.error('[lead] the request was not stored', problem);
      setWait(retryWait(problem));
      setOutcome('error');
    }
    setSending(false);
  };

  return { draft, change, canSend: isCompleteLead(draft), sending, outcome, wait, send };
}

/** Writes the chosen plan into the comment, unless the visitor has written one. */
function usePlanComment(setDraft: (update: (draft: LeadDraft) => LeadDraft) => void): void {
  const { t } = useTranslation('landing');
  const { t: offer } = useTranslation('offer');
  const { chosen } = useChosenPlan();
  const sentence = chosen && t('finalCTA.form.planComment', { plan: offer(`pricing.plans.${chosen}.name`) });
  const before = useRef<string | null>(null);

  useEffect(() => {
    if (sentence === null) return;
    const last = before.current;
    before.current = sentence;
    setDraft((draft) => withPlanComment(draft, sentence, last));
  }, [sentence, setDraft]);
}

/** The wait before a retry, in the shown unit. */
type RetryWait = { unit: 'seconds' | 'minutes'; count: number };

/** From this wait on (s) the unit is minutes. */
const minutesFrom = 90;

/** Returns the server's wait, rounded up; null where it sent none. */
export function retryWait(problem: unknown): RetryWait | null {
  const ms = problem instanceof Error && 'retryAfterMs' in problem ? problem.retryAfterMs : null;
  if (typeof ms !== 'number' || ms <= 0) return null;
  const seconds = Math.ceil(ms / 1_000);
  return seconds < minutesFrom ? { unit: 'seconds', count: seconds } : { unit: 'minutes', count: Math.ceil(seconds / 60) };
}
