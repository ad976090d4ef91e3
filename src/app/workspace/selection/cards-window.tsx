import { useMemo, useState } from 'react';
import type { CardSettings } from '../../../model/commands.ts';
import { cardsOf, type SharedSetting, sharedSetting } from '../../../model/document/card-settings.ts';
import type { Problem } from '../../../model/problem.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { CardsModel, type ChosenModel } from './cards-model.tsx';
import { changedAgents, modelsOfCards, takenBack } from './models-of-cards.ts';
import styles from './selection.module.css';
import { useSetModels } from './use-set-models.ts';

/** The settings of several cards at once. D4.21 */
export function CardsWindow({ nodeIds }: { nodeIds: readonly string[] }) {
  const { show } = usePanels();
  return <Settings key={nodeIds.join(' ')} nodeIds={nodeIds} onClose={() => show({ window: null })} />;
}

/** `mixed`: the cards differ, and each keeps its own. */
type Rules = { disabled: 'mixed' | 'on' | 'off'; failure: 'mixed' | 'stop' | 'goOn' };

function Settings({ nodeIds, onClose }: { nodeIds: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('selection');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const nodes = useWorkspace((state) => state.document.nodes);
  const byId = useWorkspace((state) => state.agents.byId);
  const locked = useWorkspace((state) => isLocked(state.run));
  const cards = useMemo(() => cardsOf(nodes, new Set(nodeIds)), [nodes, nodeIds]);
  const disabled = sharedSetting(cards, 'disabled');
  const failure = sharedSetting(cards, 'onFailure');
  const first: Rules = {
    disabled: disabled.isMixed ? 'mixed' : disabled.value ? 'off' : 'on',
    failure: failure.isMixed ? 'mixed' : (failure.value ?? 'stop'),
  };
  const [rules, setRules] = useState(first);
  const models = modelsOfCards(cards, byId);
  const [chosen, setChosen] = useState<ChosenModel | null>(null);
  const [applied, setApplied] = useState<{ cards: number; agents: number } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const setting = useSetModels();

  const apply = async () => {
    setProblem(null);
    setApplied(null);
    const settings = changedSettings(rules, first, { disabled: disabled.isMixed, failure: failure.isMixed });
    const touched = new Set(['disabled' in settings ? disabled.cards : [], 'onFailure' in settings ? failure.cards : []].flat());
    if (touched.size > 0) {
      const outcome = await dispatch({ type: 'nodes.set', nodeIds: [...touched], changes: settings });
      if (!outcome.ok) return setProblem(outcome.error);
    }
    const agents = chosen ? changedAgents(models.agents, chosen) : [];
    const refused = chosen && agents.length > 0 ? await setting.set([{ ...chosen, agentIds: agents.map(({ id }) => id) }]) : null;
    if (refused) return setProblem(refused);
    setApplied({ cards: touched.size, agents: agents.length });
  };
  const takeBack = async () => {
    const { before } = setting;
    const refused = await setting.set(takenBack(before));
    // What was refused can be tried again.
    setting.keep(refused ? before : []);
    setApplied(null);
    setProblem(refused);
  };

  return (
    <Modal
      open
      onClose={onClose}
      size="m"
      title={t('window.title', { count: cards.length })}
      description={t('window.text')}
      footer={
        <>
          <Button onClick={onClose}>{t('common:close')}</Button>
          <Button variant="primary" busy={setting.isBusy} disabled={locked || chosen?.model.trim() === ''} onClick={() => void apply()}>
            {t('window.apply')}
          </Button>
        </>
      }
    >
      <div className={styles.form} data-testid="cards-settings">
        {models.agents.length > 0 && <CardsModel models={models} chosen={chosen} onChoose={setChosen} />}
        {models.others > 0 && <p className={styles.note}>{t('model.others', { count: models.others })}</p>}
        <RuleFields {...{ disabled, failure, rules, locked }} onChange={setRules} />
        <p className={styles.status} role="status" data-problem={problem ? '' : undefined}>
          {problem ? problemText(problem) : applied && <Applied {...applied} />}
          {setting.before.length > 0 && (
            <Button size="s" variant="ghost" busy={setting.isBusy} onClick={() => void takeBack()}>
              {t('window.takeBack')}
            </Button>
          )}
        </p>
      </div>
    </Modal>
  );
}

/** Only what has changed is counted. */
function Applied({ cards, agents }: { cards: number; agents: number }) {
  const { t } = useTranslation('selection');
  const rules = cards > 0 ? t('window.appliedRules', { count: cards }) : '';
  const models = agents > 0 ? t('window.appliedModels', { count: agents }) : '';
  return rules || models ? `${rules} ${models}`.trim() : t('window.appliedNothing');
}

/** What was chosen, where it differs from what the cards have. */
function changedSettings(rules: Rules, first: Rules, isMixed: { disabled: boolean; failure: boolean }): CardSettings {
  const settings: CardSettings = {};
  if (rules.disabled !== 'mixed' && (isMixed.disabled || rules.disabled !== first.disabled))
    settings.disabled = rules.disabled === 'off' ? true : undefined;
  if (rules.failure !== 'mixed' && (isMixed.failure || rules.failure !== first.failure))
    settings.onFailure = rules.failure === 'goOn' ? 'goOn' : undefined;
  return settings;
}

type RuleFieldsProps = {
  disabled: SharedSetting<CardSettings['disabled']>;
  failure: SharedSetting<CardSettings['onFailure']>;
  rules: Rules;
  locked: boolean;
  onChange: (rules: Rules) => void;
};

/** The rules of cards in runs, each with how many cards cannot have it, and why. */
function RuleFields({ disabled, failure, rules, locked, onChange }: RuleFieldsProps) {
  const { t } = useTranslation('selection');
  const options = <T extends string>(values: readonly T[], label: (value: T) => string, isMixed: boolean) => [
    ...(isMixed ? [{ value: 'mixed' as const, label: t('mixed') }] : []),
    ...values.map((value) => ({ value, label: label(value) })),
  ];
  return (
    <>
      {failure.cards.length > 0 && (
        <Select
          label={t('failure.title')}
          value={rules.failure}
          options={options(['stop', 'goOn'] as const, (value) => t(`failure.${value}`), failure.isMixed)}
          disabled={locked}
          onChange={(value) => onChange({ ...rules, failure: value })}
        />
      )}
      {failure.others > 0 && <p className={styles.note}>{t('failure.others', { count: failure.others })}</p>}
      {disabled.cards.length > 0 && (
        <Select
          label={t('disabled.title')}
          hint={t('disabled.hint')}
          value={rules.disabled}
          options={options(['on', 'off'] as const, (value) => t(`disabled.${value}`), disabled.isMixed)}
          disabled={locked}
          onChange={(value) => onChange({ ...rules, disabled: value })}
        />
      )}
      {disabled.others > 0 && <p className={styles.note}>{t('disabled.others', { count: disabled.others })}</p>}
    </>
  );
}
