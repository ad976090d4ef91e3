import { Dialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { foldedStore } from '../../../canvas/folding/folded-store.ts';
import { Kbd } from '../../../ui/controls/kbd.tsx';
import { useFocusBack } from '../../../ui/controls/overlays/use-focus-back.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Search } from '../../../ui/icons/icons.ts';
import { isComposing, isEnter, isSendKey } from '../../../ui/typed-keys.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { useFlyToNode, useShowNodes } from '../camera/use-show-node.ts';
import { usePanels } from '../frame/panels.tsx';
import { shortcutLabel } from '../frame/shortcut-label.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import styles from './palette.module.css';
import type { PaletteItem, PaletteSection } from './palette-items.ts';
import { PaletteRow } from './palette-row.tsx';
import type { Searchable } from './search-nodes.ts';
import { usePaletteSections } from './use-palette-sections.ts';

/** Search and commands in one dialog: cards of the canvas, items to add, and actions. */
export function Palette() {
  const { t } = useTranslation('actions');
  const { panels, show } = usePanels();
  const open = panels.window?.kind === 'palette';
  const close = () => show({ window: null });
  const popup = useRef<HTMLDivElement>(null);
  // It stays in its place while it fades.
  const scope = useRef<'all' | 'nodes'>('all');
  if (panels.window?.kind === 'palette') scope.current = panels.window.scope;
  useFocusBack(open, popup);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          ref={popup}
          finalFocus={false}
          className={styles.popup}
          aria-label={t('palette.label')}
          data-testid="palette"
          data-scope={scope.current}
        >
          {panels.window?.kind === 'palette' && <Finder {...panels.window} onClose={close} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type FinderProps = { scope: 'all' | 'nodes'; linkFrom?: string; onClose: () => void };

function Finder({ scope, linkFrom, onClose }: FinderProps) {
  const { t } = useTranslation('actions');
  const [query, setQuery] = useState('');
  const { sections, matches } = usePaletteSections(query, scope, linkFrom);
  const items = useMemo(() => sections.flatMap((section) => section.items), [sections]);
  const { at, choose, restart, run, onKeyDown } = useChosenItem(items, matches, onClose);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  // Synchronously, so that no letter typed after the shortcut is lost.
  useLayoutEffect(() => {
    input.current?.focus();
  }, []);
  useMatchesOnCanvas(query, matches);
  return (
    <>
      <div className={styles.head}>
        <Search size={18} aria-hidden />
        <input
          ref={input}
          className={styles.input}
          type="text"
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={items.length > 0 ? `${listId}-${at}` : undefined}
          aria-label={t('palette.label')}
          placeholder={t(`palette.placeholder.${scope}`)}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            restart();
          }}
          onKeyDown={onKeyDown}
        />
        {query.trim() !== '' && (matches.length > 0 || items.length === 0) && (
          <span className={styles.count} role="status">
            {t('words:cardCount', { count: matches.length })}
          </span>
        )}
        <Kbd keys={shortcutLabel('Escape')} />
      </div>
      <FoundItems listId={listId} sections={sections} query={query} at={at} onPoint={choose} onRun={run} />
      <KeyHints hasMatches={matches.length > 0} />
    </>
  );
}

/** The chosen line, and the keys that choose another one, run it, or show the found cards on the canvas. */
function useChosenItem(items: readonly PaletteItem[], matches: Searchable, onClose: () => void) {
  const [chosen, setChosen] = useState(0);
  const fly = useFlyToNode();
  const showNodes = useShowNodes();
  /** The card that the Tab key has shown last. */
  const flown = useRef<string | null>(null);
  const at = Math.min(chosen, items.length - 1);
  const restart = () => {
    setChosen(0);
    flown.current = null;
  };
  const run = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const to = destination(event.key, at, items.length);
    if (to !== null) setChosen(to);
    else if (isSendKey(event) && matches.length > 0) {
      onClose();
      showNodes(matches.map(({ node }) => node.id));
    } else if (isEnter(event)) run(items[at]);
    else if (event.key === 'Tab') {
      const isFirst = flown.current === null && items[at]?.node;
      const next = isFirst ? at : nextNode(items, at, event.shiftKey ? -1 : 1);
      if (next === null) return;
      flown.current = items[next]?.node?.id ?? null;
      setChosen(next);
      fly(flown.current ?? '');
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { at, choose: setChosen, restart, run, onKeyDown };
}

type FoundItemsProps = {
  listId: string;
  sections: readonly PaletteSection[];
  query: string;
  /** The chosen line. */
  at: number;
  onPoint: (at: number) => void;
  onRun: (item: PaletteItem) => void;
};

/** The lines, by sections; the chosen one is kept in view. */
function FoundItems({ listId, sections, query, at, onPoint, onRun }: FoundItemsProps) {
  const { t } = useTranslation('actions');
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  let place = 0;
  return (
    <div ref={list} className={styles.list} id={listId} role="listbox" aria-label={t('palette.label')}>
      {sections.map((section) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset may not stand in a list box
        <div key={section.name} role="group" aria-label={t(`palette.section.${section.name}`)}>
          <div className={styles.section} aria-hidden>
            {t(`palette.section.${section.name}`)}
          </div>
          {section.items.map((item) => {
            const here = place++;
            return (
              <PaletteRow
                key={item.id}
                id={`${listId}-${here}`}
                at={here}
                item={item}
                query={query}
                chosen={here === at}
                onPoint={() => onPoint(here)}
                onRun={() => onRun(item)}
              />
            );
          })}
        </div>
      ))}
      {sections.every(({ items }) => items.length === 0) && (
        <p className={styles.nothing}>{t('palette.nothing', { query: query.trim() })}</p>
      )}
    </div>
  );
}

/** Highlights the found cards on the canvas during a search. */
function useMatchesOnCanvas(query: string, matches: Searchable) {
  const { view } = useWorkspaceContext();
  const store = useStore();
  const shown = useMemo(() => foldedStore(store, view), [store, view]);
  useEffect(() => {
    view.update({ matches: query.trim() === '' ? null : new Set(matches.map(({ node }) => shown.folding?.shownAs(node.id) ?? node.id)) });
    return () => view.update({ matches: null });
  }, [view, shown, matches, query]);
}

function KeyHints({ hasMatches }: { hasMatches: boolean }) {
  const { t } = useTranslation('actions');
  return (
    <footer className={styles.foot} aria-hidden>
      <span>
        <Kbd keys="↑" /> <Kbd keys="↓" /> {t('palette.hint.choose')}
      </span>
      <span>
        <Kbd keys={shortcutLabel('Enter')} /> {t('palette.hint.run')}
      </span>
      {hasMatches && (
        <>
          <span>
            <Kbd keys={shortcutLabel('Tab')} /> {t('palette.hint.next')}
          </span>
          <span>
            <Kbd keys={shortcutLabel('mod+Enter')} /> {t('palette.hint.all')}
          </span>
        </>
      )}
    </footer>
  );
}

function destination(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at - 1 + count) % count;
    case 'PageDown':
      return Math.min(count - 1, at + 8);
    case 'PageUp':
      return Math.max(0, at - 8);
    default:
      return null;
  }
}

/** Returns the index of the next line that is a card, from the start again after the last one. */
function nextNode(items: readonly PaletteItem[], at: number, direction: 1 | -1): number | null {
  for (let step = 1; step <= items.length; step++) {
    const to = (at + direction * step + items.length * step) % items.length;
    if (items[to]?.node) return to;
  }
  return null;
}
