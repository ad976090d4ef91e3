import { type ReactNode, useCallback, useEffect, useId, useState } from 'react';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Hourglass } from '../../../ui/icons/icons.ts';
import { PlanCard } from './plan-card.tsx';
import styles from './plan-modal.module.css';
import { featuredPlan, type Plan } from './plans.ts';

/** The time after closing until the window has faded out (ms). W2.19 */
const resetAfterMs = 300;

type PlanModalProps = {
  open: boolean;
  onClose: () => void;
  plans: readonly Plan[];
  title: string;
  text: string;
  /** The label of the button. */
  action: string;
  /** A choice before the plans, which are quiet beside it. */
  before?: ReactNode;
};

/** A choice of plans, and then a statement that buying does not work yet: nothing is sent or paid. W2.19 R33 */
export function PlanModal({ open, onClose, plans, title, text, action, before }: PlanModalProps) {
  const { t } = useTranslation('modals');
  const group = useId();
  const [chosen, setChosen] = useState(() => featuredPlan(plans));
  const [isChosen, setIsChosen] = useState(false);
  const reset = useCallback(() => {
    setChosen(featuredPlan(plans));
    setIsChosen(false);
  }, [plans]);
  useEffect(() => (open ? undefined : resetAfterClosing(reset)), [open, reset]);

  if (isChosen) {
    return (
      <Modal
        open={open}
        onClose={onClose}
        size={plans.length > 2 ? 'l' : 'm'}
        title={t('notYet.title')}
        footer={
          <Button ref={focus} variant="primary" onClick={onClose}>
            {t('common:close')}
          </Button>
        }
      >
        <div className={styles.notYet} role="status">
          <span className={styles.mark}>
            <Hourglass size={28} strokeWidth={1.5} aria-hidden />
          </span>
          <p>{t('notYet.text')}</p>
        </div>
      </Modal>
    );
  }
  return (
    <Modal
      open={open}
      onClose={onClose}
      size={plans.length > 2 ? 'l' : 'm'}
      title={title}
      description={text}
      footer={
        <Button variant={before ? 'ghost' : 'primary'} onClick={() => setIsChosen(true)}>
          {action}
        </Button>
      }
    >
      {before}
      <fieldset className={styles.plans} data-count={plans.length}>
        <legend className={before ? styles.later : 'visually-hidden'}>{t(before ? 'plan.later' : 'plan.label')}</legend>
        {plans.map((plan) => (
          <PlanCard key={plan.id} plan={plan} group={group} chosen={plan.id === chosen} onChoose={() => setChosen(plan.id)} />
        ))}
      </fieldset>
    </Modal>
  );
}

/** The pressed button is gone: its successor takes the focus. */
function focus(button: HTMLButtonElement | null) {
  button?.focus();
}

/** Calls `reset` after 300 ms. Returns a function to call when the window opens again: it resets at once. */
export function resetAfterClosing(reset: () => void): () => void {
  let waits = true;
  const timer = setTimeout(() => {
    waits = false;
    reset();
  }, resetAfterMs);
  return () => {
    clearTimeout(timer);
    if (waits) reset();
  };
}
