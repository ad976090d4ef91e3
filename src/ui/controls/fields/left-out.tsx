import { type RefCallback, type RefObject, useCallback, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../buttons/button.tsx';
import styles from './left-out.module.css';
import { type LeftOut, watchLimits } from './watch-limits.ts';

type WatchedFields = { ref: RefCallback<HTMLElement>; frame: RefObject<HTMLElement | null>; leftOut: LeftOut | null; forget: () => void };

/** Watches the fields in an element, `frame`. The returned text, once there is one, is shown by `LeftOutNote` beside the field. */
export function useLeftOut(): WatchedFields {
  const [leftOut, setLeftOut] = useState<LeftOut | null>(null);
  const frame = useRef<HTMLElement>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    frame.current = element;
    if (!element) return;
    return watchLimits(element, (next) => {
      setLeftOut((before) => (before?.isTyped && next.isTyped ? { ...next, text: before.text + next.text } : next));
    });
  }, []);
  return { ref, frame, leftOut, forget: useCallback(() => setLeftOut(null), []) };
}

type Props = { leftOut: LeftOut; onClose: () => void };

/** Says how much of a text did not fit into its field, and copies that part. G8.33 */
export function LeftOutNote({ leftOut, onClose }: Props) {
  const { t, language } = useTranslation('common');
  const [copied, setCopied] = useState<string | null>(null);
  const { text, max, isTyped, isSecret } = leftOut;
  const number = (value: number) => value.toLocaleString(language);
  const clipboard = (navigator as Partial<Navigator>).clipboard;
  const copy = () => clipboard?.writeText(text).then(() => setCopied(text), onClose);
  const words = { count: text.length, characters: number(text.length), max: number(max) };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press here leaves the focus in the field
    <div className={styles.note} data-testid="left-out" data-canvas-control onMouseDown={(event) => event.preventDefault()}>
      <p role="alert">{isTyped ? t('leftOut.full', words) : t('leftOut.cut', words)}</p>
      <div className={styles.actions}>
        {clipboard && !isSecret && (
          <Button size="xs" onClick={() => void copy()}>
            {t(copied === text ? 'copied' : 'leftOut.copy')}
          </Button>
        )}
        <Button size="xs" variant="ghost" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </div>
  );
}
