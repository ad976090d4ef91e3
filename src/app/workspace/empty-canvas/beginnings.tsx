import { type ReactNode, useEffect, useRef } from 'react';
import { fullCycleFlow, quickFixFlow } from '../../../../contract/flow-templates.ts';
import type { Hue } from '../../../model/agents/roles.ts';
import { Kbd } from '../../../ui/controls/kbd.tsx';
import { isWindowClosing } from '../../../ui/controls/overlays/is-window-closing.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { LayoutTemplate, Plus, Zap } from '../../../ui/icons/icons.ts';
import { shortcutOf } from '../frame/action-table.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { menuSections } from '../sidebar/menu-sections.ts';
import { usePlace } from '../sidebar/use-place.ts';
import styles from './empty-canvas.module.css';
import { EmptyCanvasPicture } from './empty-canvas-picture.tsx';

/** The content of an empty canvas: three ways to begin, and a hint at the other functions. */
export function Beginnings() {
  const { t } = useTranslation('participation');
  const { t: tActions } = useTranslation('actions');
  const { show } = usePanels();
  const { mobile, account } = useWorkspaceContext();
  const place = usePlace();
  const template = () => place({ kind: 'flow', templateId: fullCycleFlow.id });
  const quick = () => place({ kind: 'flow', templateId: quickFixFlow.id });
  const chooseRole = () => {
    show({ sidebar: true });
    menuSections.choose('agents', true);
    // The panel may be opening: its first row takes the focus once it is rendered.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[data-testid="sidebar"] [data-hue]:not([data-hue="slate"], [data-hue="lime"]) button')?.focus(),
    );
  };
  useEmptyCanvasKeys([template, chooseRole, quick]);
  return (
    <section className={styles.empty} aria-label={t('empty.title')} data-testid="empty-canvas">
      <EmptyCanvasPicture />
      <h2>{t('empty.title')}</h2>
      <p className={styles.text}>{t(mobile ? 'empty.textPhone' : 'empty.text')}</p>
      <div className={styles.choices}>
        <Choice
          hue="violet"
          icon={<LayoutTemplate size={20} aria-hidden />}
          title={t('empty.template')}
          text={t('empty.templateText')}
          action={t('empty.templateAction')}
          digit="1"
          onChoose={template}
        />
        <Choice
          hue="indigo"
          icon={<Plus size={20} aria-hidden />}
          title={t('empty.agent')}
          text={t(mobile ? 'empty.agentTextPhone' : 'empty.agentText')}
          action={t('empty.agentAction')}
          digit="2"
          onChoose={chooseRole}
        />
        <Choice
          hue="lime"
          icon={<Zap size={20} aria-hidden />}
          title={t('empty.quick')}
          text={t('empty.quickText')}
          action={t('empty.quickAction')}
          digit="3"
          onChoose={quick}
        />
      </div>
      {!mobile && (
        <p className={styles.hints}>
          <Hint words={t('empty.find')} keys={shortcutOf('palette')} onOpen={() => show({ window: { kind: 'palette', scope: 'all' } })} />
          {account && (
            <Hint
              words={tActions('name.connections')}
              keys={shortcutOf('connections')}
              onOpen={() => show({ window: { kind: 'connections', add: true } })}
            />
          )}
          <Hint words={t('empty.keys')} keys="?" onOpen={() => show({ window: { kind: 'shortcuts' } })} />
        </p>
      )}
    </section>
  );
}

function Hint({ words, keys, onOpen }: { words: string; keys: string; onOpen: () => void }) {
  return (
    <button type="button" className={styles.hint} data-panel onClick={onOpen}>
      {words} <Kbd keys={keys} />
    </button>
  );
}

type ChoiceProps = { hue: Hue; icon: ReactNode; title: string; text: string; action: string; digit: string; onChoose: () => void };

function Choice({ hue, icon, title, text, action, digit, onChoose }: ChoiceProps) {
  return (
    <button type="button" className={styles.choice} data-hue={hue} data-panel onClick={onChoose}>
      <span className={styles.tile}>{icon}</span>
      <strong>{title}</strong>
      <span className={styles.words}>{text}</span>
      <span className={styles.action}>
        {action} <Kbd keys={digit} />
      </span>
    </button>
  );
}

/** Handles the digits from 1 on, unless a text is edited or a dialog is open. */
function useEmptyCanvasKeys(choices: readonly (() => void)[]): void {
  const latest = useRef(choices);
  latest.current = choices;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isWindowClosing()) return;
      if (event.target instanceof Element && event.target.closest('input, textarea, [contenteditable], [role="dialog"], [role="menu"]'))
        return;
      const choice = /^Digit[1-9]$/.test(event.code) ? latest.current[Number(event.code.slice(5)) - 1] : undefined;
      if (!choice) return;
      event.preventDefault();
      choice();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
