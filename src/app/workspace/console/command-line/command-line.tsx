import { type KeyboardEvent, memo, useId, useMemo, useRef, useState } from 'react';
import type { Agent } from '../../../../../contract/agent.ts';
import { roleHue } from '../../../../model/agents/roles.ts';
import { consoleAgents, slashCommands } from '../../../../model/console/console-command.ts';
import { isLocked } from '../../../../model/workspace-state.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { LeftOutNote, useLeftOut } from '../../../../ui/controls/fields/left-out.tsx';
import { Select } from '../../../../ui/controls/fields/select.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { SendHorizontal } from '../../../../ui/icons/icons.ts';
import { RoleTile } from '../../../../ui/icons/role-icon.tsx';
import { roleIconName } from '../../../../ui/icons/role-icon-name.ts';
import { readStored, writeStored } from '../../../../ui/stored-preference.ts';
import { isComposing, isEnter } from '../../../../ui/typed-keys.ts';
import { useDispatch, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import styles from './command-line.module.css';
import { CommandStatus } from './command-status.tsx';
import { CommandSuggestions } from './command-suggestions.tsx';
import { useCommandLine } from './use-command-line.ts';

/** The input of slash commands, with the choice of the agent. W2.15 W2.16 W2.17 */
export const CommandLine = memo(CommandLineNow);

function CommandLineNow() {
  const { t } = useTranslation('console');
  const { readOnly, mobile } = useWorkspaceContext();
  const working = useWorkspace((state) => isLocked(state.run));
  const waiting = useWorkspace((state) => state.commandLine.waiting !== null);
  const { choices, agent, choose } = useConsoleAgent();
  const line = useCommandLine(agent?.id ?? null);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const disabled = readOnly || working;
  const open = !disabled && line.suggestions.length > 0;
  const placeholder = readOnly ? 'readOnly' : working ? 'working' : mobile ? 'placeholderShort' : 'placeholder';

  const { ref: limits, leftOut, forget } = useLeftOut();

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const { length } = line.suggestions;
    const name = open ? line.suggestions[line.chosen] : undefined;
    if (isEnter(event)) {
      if (name) line.take(name, true);
      else if (!waiting) void line.send();
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      const direction = key === 'ArrowDown' ? 1 : -1;
      if (open) line.setChosen((line.chosen + direction + length) % length);
      else line.recall(direction);
    } else if (name && key === 'Tab' && !event.shiftKey) line.take(name, false);
    else if (open && key === 'Escape') line.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div ref={limits} className={styles.foot} data-testid="command-line">
      {leftOut && <LeftOutNote leftOut={leftOut} onClose={forget} />}
      <CommandStatus hasAgent={agent !== null} />
      <div className={styles.line} data-announces={readOnly || undefined}>
        {readOnly && <Announcements />}
        {!readOnly && <AgentPicker agent={agent} choices={choices} onChoose={choose} />}
        <input
          ref={input}
          className={styles.input}
          type="text"
          role="combobox"
          aria-label={t('line.label')}
          aria-autocomplete="list"
          aria-expanded={open}
          aria-controls={open ? listId : undefined}
          aria-activedescendant={open ? `${listId}-${line.chosen}` : undefined}
          placeholder={t(`line.${placeholder}`)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="send"
          maxLength={20_000}
          disabled={disabled}
          value={line.text}
          onChange={(event) => line.write(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={line.close}
        />
        {!readOnly && (
          <Button
            className={styles.send}
            icon={<SendHorizontal size={15} aria-hidden />}
            aria-label={t('common:send')}
            title={t('common:send')}
            disabled={disabled || waiting}
            onClick={() => void line.send()}
          />
        )}
      </div>
      {open && (
        <CommandSuggestions
          id={listId}
          anchor={input}
          names={line.suggestions}
          chosen={line.chosen}
          onPoint={line.setChosen}
          onTake={(name) => line.take(name, true)}
        />
      )}
    </div>
  );
}

type AgentPickerProps = { agent: Agent | null; choices: readonly Agent[]; onChoose: (id: string | null) => void };

function AgentPicker({ agent, choices, onChoose }: AgentPickerProps) {
  const { t } = useTranslation('console');
  return (
    <div className={styles.picker}>
      <Select
        label={t('line.agent')}
        labelHidden
        value={agent?.id ?? ''}
        options={[
          { value: '', label: t('line.noAgent') },
          ...choices.map(({ id, title, role }) => ({
            value: id,
            label: title,
            icon: <RoleTile name={roleIconName(role)} hue={roleHue(role)} size={20} />,
          })),
        ]}
        onChange={(id) => onChoose(id === '' ? null : id)}
      />
    </div>
  );
}

const agentKey = 'console:agent';

/** Returns the agents that the console can address, and the chosen one, which is stored in this browser; null without one. W2.17 */
function useConsoleAgent() {
  const agents = useWorkspace((state) => state.agents);
  const choices = useMemo(() => consoleAgents(agents), [agents]);
  const [id, setId] = useState(() => readStored(agentKey));
  const choose = (next: string | null) => {
    setId(next);
    writeStored(agentKey, next ?? '');
  };
  return { choices, agent: choices.find((choice) => choice.id === id) ?? null, choose };
}

/** On pages without commands: a button for each, which describes the command. R43 */
function Announcements() {
  const { t } = useTranslation('console');
  const dispatch = useDispatch();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-label={t('line.announceLabel')} className={styles.announcements}>
      {slashCommands.map((name) => (
        <Button key={name} size="s" onClick={() => void dispatch({ type: 'console.announce', name })}>
          /{name}
        </Button>
      ))}
    </div>
  );
}
