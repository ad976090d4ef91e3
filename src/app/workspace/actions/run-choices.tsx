import type { CanvasNode } from '../../../../contract/canvas.ts';
import { listFailures, type StepSettings } from '../../../../contract/run-graph.ts';
import type { Dispatch } from '../../../model/commands.ts';
import { MenuCheck, MenuChoice, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';

type Props = { node: CanvasNode; dispatch: Dispatch };

/** How a run uses an agent's card or a group: the part of their context menu. Other nodes have none. */
export function RunChoices({ node, dispatch }: Props) {
  if (node.type === 'group') return <ListChoice node={node} dispatch={dispatch} />;
  return node.type === 'agent' && !node.isUser ? <StepChoices node={node} dispatch={dispatch} /> : null;
}

function StepChoices({ node, dispatch }: Props) {
  const { t } = useTranslation('actions');
  const { step = {} } = node;
  const change = (changes: { [Name in keyof StepSettings]: StepSettings[Name] | undefined }) => {
    const { firstWins, onFailure } = { ...step, ...changes };
    const next: StepSettings = { ...(firstWins && { firstWins }), ...(onFailure && { onFailure }) };
    void dispatch({ type: 'node.update', id: node.id, changes: { step: firstWins || onFailure ? next : undefined } });
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
