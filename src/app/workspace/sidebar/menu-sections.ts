import { Observable } from '../../../state/observable.ts';
import { readStored, writeStored } from '../../../ui/stored-preference.ts';

export type MenuSectionName = 'agents' | 'users' | 'beginnings' | 'insert';

/** Which sections of the sidebar a person has opened or closed, or was led to; kept in this browser. */
class MenuSections extends Observable {
  readonly #chosen = new Map<MenuSectionName, boolean | null>();

  /** Null before a choice. */
  isOpen(name: MenuSectionName): boolean | null {
    let chosen = this.#chosen.get(name);
    if (chosen === undefined) {
      const stored = readStored(`sidebar:${name}`);
      chosen = stored === null ? null : stored === 'open';
      this.#chosen.set(name, chosen);
    }
    return chosen;
  }

  choose(name: MenuSectionName, isOpen: boolean): void {
    if (this.isOpen(name) === isOpen) return;
    this.#chosen.set(name, isOpen);
    writeStored(`sidebar:${name}`, isOpen ? 'open' : 'closed');
    this.notify();
  }
}

export const menuSections = new MenuSections();
