import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { SlashCommand } from '../../../../model/console/console-command.ts';
import { useLateProblemText } from '../../../../ui/i18n/use-late-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { useWindowSize } from '../../frame/use-window-size.ts';
import styles from './command-line.module.css';

/** The gaps between the list and the input, and between the list and the window's top (px). */
const gap = 6;

type Props = {
  id: string;
  /** The input below the list; it keeps the focus and refers to the chosen item. */
  anchor: RefObject<HTMLElement | null>;
  names: readonly SlashCommand[];
  chosen: number;
  onPoint: (index: number) => void;
  onTake: (name: SlashCommand) => void;
};

/** The list of matching commands above the input. */
export function CommandSuggestions({ id, anchor, names, chosen, onPoint, onTake }: Props) {
  const { t } = useTranslation('console');
  const problemText = useLateProblemText();
  const window = useWindowSize();
  const list = useRef<HTMLDivElement>(null);
  const [box, setBox] = useState<DOMRect | null>(null);
  useLayoutEffect(() => {
    if (window.width > 0) setBox(anchor.current?.getBoundingClientRect() ?? null);
  }, [anchor, window]);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  if (!box) return null;
  const place = { left: box.left, bottom: window.height - box.top + gap, width: Math.min(box.width, 520), maxHeight: box.top - 2 * gap };
  return createPortal(
    <div ref={list} id={id} role="listbox" aria-label={t('line.suggestions')} className={styles.suggestions} style={place}>
      {names.map((name, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are read by the line
        // biome-ignore lint/a11y/useFocusableInteractive: the line keeps the focus and points here
        <div
          key={name}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          className={styles.suggestion}
          onPointerMove={() => onPoint(index)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(name)}
        >
          {problemText({ code: `console.helpOf.${name}` })}
        </div>
      ))}
    </div>,
    document.body,
  );
}
