import type { ReactNode } from 'react';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { listFailures, type StepSettings } from '../../../../contract/executions/run-graph.ts';
import { isAgentOrPerson, isGroup } from '../../../../rules/card.ts';
import type { Dispatch } from '../../../model/commands.ts';
import { MenuCheck, MenuChoice, MenuItem, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { Submenu } from '../../../ui/controls/overlays/submenu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Play } from '../../../ui/icons/icons.ts';
import { usePanels } from '../frame/panels.tsx';

type Props = { node: CanvasNode; dispatch: Dispatch };

/** How a run uses an agent's card or a group: the part of their context menu. Other nodes have none. `runFromCard` starts a run there. */
export function RunChoices({ node, dispatch, runFromCard }: Props & { runFromCard: ReactNode }) {
  const { t } = useTranslation('actions');
  if (isGroup(node)) return <ListChoice node={node} dispatch={dispatch} />;
  if (!isAgentOrPerson(node)) return null;
  return (
    <>
      <MenuSeparator />
      <Submenu label={t('run.title')} icon={<Play size={16} strokeWidth={1.75} aria-hidden />}>
        {runFromCard}
        {node.isUser ? <PersonChoice node={node} dispatch={dispatch} /> : <StepChoices node={node} dispatch={dispatch} />}
        <DisabledChoice node={node} dispatch={dispatch} />
      </Submenu>
    </>
  );
}

/** Whether runs pass the card by. D4.24 */
function DisabledChoice({ node: { id, disabled }, dispatch }: Props) {
  const { t } = useTranslation('actions');
  return (
    <MenuCheck
      checked={disabled === true}
      onChange={(isOn) => void dispatch({ type: 'nodes.set', nodeIds: [id], changes: { disabled: isOn ? true : undefined } })}
    >
      {t('run.disabled')}
    </MenuCheck>
  );
}

/** Whether a user's card asks a person in a run, the window with what it asks, and how such a card takes part. */
function PersonChoice({ node, dispatch }: Props) {
  const { t } = useTranslation('actions');
  const { show } = usePanels();
  const isAsking = node.step?.person !== undefined;
  return (
    <>
      <MenuSeparator />
      <MenuCheck
        checked={isAsking}
        onChange={(isOn) => {
          // A card that asks no person takes no part in a run, so that no other setting is left.
          const step = isOn ? { person: { question: '', inputs: [] } } : undefined;
          void dispatch({ type: 'node.update', id: node.id, changes: { step } });
        }}
      >
        {t('words:asksPerson')}
      </MenuCheck>
      <MenuItem onSelect={() => show({ window: { kind: 'person', nodeId: node.id } })}>{t('run.personSettings')}</MenuItem>
      {isAsking && <StepChoices node={node} dispatch={dispatch} />}
    </>
  );
}

function StepChoices({ node, dispatch }: Props) {
  const { t } = useTranslation('actions');
  const { step = {} } = node;
  const change = (changes: { [Name in keyof StepSettings]: StepSettings[Name] | undefined }) => {
    const next = withoutUndefined<StepSettings>({ ...step, ...changes });
    void dispatch({ type: 'node.update', id: node.id, changes: { step: Object.keys(next).length > 0 ? next : undefined } });
  };
  return (
    <>
      <MenuSeparator />
      <MenuCheck checked={step.firstWins === true} onChange={(isOn) => change({ firstWins: isOn ? true : undefined })}>
        {t('run.firstWins')}
      </MenuCheck>
      <MenuCheck checked={step.onFailure === 'goOn'} onChange={(isOn) => change({ onFailure: isOn ? 'goOn' : undefined })}>
        {t('run.goOn')}
      </MenuCheck>
    </>
  );
}

function withoutUndefined<T extends object>(record: { [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

const lists = ['none', ...listFailures] as const;

function ListChoice({ node, dispatch }: Props) {
  const { t } = useTranslation('actions');
  return (
    <>
      <MenuSeparator />
      <MenuChoice
        label={t('run.list.title')}
        value={node.forEach?.onFailure ?? 'none'}
        options={lists.map((value) => ({ value, label: t(`run.list.${value}`) }))}
        onChoose={(value) => {
          const forEach = value === 'none' ? undefined : { onFailure: value };
          void dispatch({ type: 'node.update', id: node.id, changes: { forEach } });
        }}
      />
    </>
  );
}
