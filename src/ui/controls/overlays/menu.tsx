import { Menu as Base } from '@base-ui/react/menu';
import { type ReactElement, type ReactNode, useMemo, useRef } from 'react';
import { Check } from '../../icons/icons.ts';
import { Kbd } from '../kbd.tsx';
import { keepClear } from './keep-clear.ts';
import styles from './menu.module.css';
import { useFocusBack } from './use-focus-back.ts';

type MenuProps = {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'bottom';
  children: ReactNode;
};

/** A list of actions below a button. */
export function Menu({ trigger, align = 'start', side = 'bottom', children }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner side={side} align={align} sideOffset={6} collisionPadding={8} className={styles.positioner}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type MenuAtProps = {
  /** The place of its corner (CSS px of the window); null closes it. */
  at: { x: number; y: number } | null;
  /** The middle of what it does not cover (CSS px of the window). */
  clearOf?: { x: number; y: number } | undefined;
  label: string;
  onClose: () => void;
  children: ReactNode;
};

/** A list of actions at a place on the page: a context menu. The rest of the page stays usable. */
export function MenuAt({ at, clearOf, label, onClose, children }: MenuAtProps) {
  // It stays in its place while it fades.
  const last = useRef(at ?? { x: 0, y: 0 });
  if (at) last.current = at;
  const anchor = useMemo(() => ({ getBoundingClientRect: () => new DOMRect(last.current.x, last.current.y, 0, 0) }), []);
  const popup = useRef<HTMLDivElement>(null);
  const isOpen = at !== null;
  useFocusBack(isOpen, popup);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()} modal={false}>
      <Base.Portal>
        <Base.Positioner
          key={`${last.current.x},${last.current.y}`}
          anchor={anchor}
          {...keepClear(last.current, clearOf)}
          align="start"
          collisionPadding={8}
          // On a narrow screen there is no room beside a finger.
          collisionAvoidance={{ fallbackAxisSide: 'end' }}
          // A menu that fits on no side is moved over its place, so that it stays in the window.
          sticky
          className={styles.positioner}
        >
          <Base.Popup ref={popup} className={styles.popup} aria-label={label} finalFocus={false}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type MenuItemProps = {
  icon?: ReactNode;
  shortcut?: string;
  danger?: boolean;
  disabled?: boolean;
  /** For an item of a choice: shown as selected. */
  chosen?: boolean;
  onSelect: () => void;
  children: ReactNode;
};

export function MenuItem({ icon, shortcut, danger = false, disabled = false, chosen, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item
      className={styles.item}
      data-danger={danger || undefined}
      data-chosen={chosen || undefined}
      disabled={disabled}
      onClick={onSelect}
    >
      {icon && <span className={styles.sign}>{icon}</span>}
      <span className={styles.words}>{children}</span>
      {shortcut && <Kbd keys={shortcut} />}
    </Base.Item>
  );
}

export function MenuSeparator() {
  return <Base.Separator className={styles.separator} />;
}

/** A heading in a menu. */
export function MenuNote({ children }: { children: ReactNode }) {
  return <div className={styles.note}>{children}</div>;
}

type MenuSwatchesProps = {
  /** The label for screen readers. */
  label: string;
  value: string;
  options: readonly { hue: string; label: string }[];
  onChoose: (hue: string) => void;
};

/** A row of colours to choose from. */
export function MenuSwatches({ label, value, options, onChoose }: MenuSwatchesProps) {
  return (
    <Base.RadioGroup className={styles.swatches} aria-label={label} value={value} onValueChange={onChoose}>
      {options.map(({ hue, label: name }) => (
        <Base.RadioItem key={hue} value={hue} className={styles.swatch} data-hue={hue} aria-label={name} title={name} closeOnClick />
      ))}
    </Base.RadioGroup>
  );
}

type MenuCheckProps = { checked: boolean; shortcut?: string; onChange: (checked: boolean) => void; children: ReactNode };

/** An item that is on or off. */
export function MenuCheck({ checked, shortcut, onChange, children }: MenuCheckProps) {
  return (
    <Base.CheckboxItem className={styles.item} checked={checked} onCheckedChange={onChange} closeOnClick>
      <span className={`${styles.sign} ${styles.mark}`}>{checked && <Check size={16} strokeWidth={1.75} aria-hidden />}</span>
      <span className={styles.words}>{children}</span>
      {shortcut && <Kbd keys={shortcut} />}
    </Base.CheckboxItem>
  );
}

type MenuChoiceProps<T extends string> = {
  label: string;
  value: T;
  options: readonly { value: T; label: string; shortcut?: string }[];
  onChoose: (value: T) => void;
};

/** Items of which one is selected, under their label. */
export function MenuChoice<T extends string>({ label, value, options, onChoose }: MenuChoiceProps<T>) {
  return (
    <Base.RadioGroup aria-label={label} value={value} onValueChange={onChoose}>
      <div className={styles.note} aria-hidden>
        {label}
      </div>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} className={styles.item} closeOnClick>
          <span className={`${styles.sign} ${styles.mark}`}>
            {option.value === value && <Check size={16} strokeWidth={1.75} aria-hidden />}
          </span>
          <span className={styles.words}>{option.label}</span>
          {option.shortcut && <Kbd keys={option.shortcut} />}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}
