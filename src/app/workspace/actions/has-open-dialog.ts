/** Dialogs and menus that are not closing. */
const openOver = ['dialog', 'alertdialog', 'menu'].map((role) => `[role="${role}"]:not([data-closed])`).join();

/** Returns whether a dialog or menu is open. No key of the workspace works under it. */
export function hasOpenDialog(): boolean {
  return document.querySelector(openOver) !== null;
}
