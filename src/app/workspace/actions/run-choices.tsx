import type { CanvasNode } from '../../../../contract/canvas.ts';
import { listFailures, type StepSettings } from '../../../../contract/executions/run-graph.ts';
import type { Dispatch } from '../../../model/commands.ts';
import { MenuCheck, MenuChoice, MenuItem, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { usePanels } from '../panels.tsx';

type Props = { node: CanvasNode; dispatch: Dispatch };

/** How a run uses an agent's card or a group: the part of their context menu. Other nodes have none. */
export function RunChoices({ node, dispatch }: Props) {
  if (node.type === 'group') return <ListChoice node={node} dispatch={dispatch} />;
  if (node.type !== 'agent') return null;
  return node.isUser ? <PersonChoice node={node} dispatch={dispatch} /> : <StepChoices node={node} dispatch={dispatch} />;
}

/** Whether a user's card asks a person in a run, and the window with what it asks. */
function PersonChoice({ node, dispatch }: Props) {
  const { t } = useTranslation('actions');
  const { show } = usePanels();
  const person = node.step?.person;
  return (
    <>
      <MenuSeparator />
      <MenuCheck
        checked={person !== undefined}
        onChange={(isOn) => {
          const step = isOn ? { ...node.step, person: { question: '', inputs: [] } } : undefined;
          void dispatch({ type: 'node.update', id: node.id, changes: { step } });
        }}
      >
        {t('run.asksPerson')}
      </MenuCheck>
      <MenuItem onSelect={() => show({ window: { kind: 'person', nodeId: node.id } })}>{t('run.personSettings')}</MenuItem>
    </>
  );
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
