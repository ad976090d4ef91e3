/** Whether a window fades out. A plain key that is pressed meanwhile was meant for it, and does nothing on the canvas. */
export function isWindowClosing(): boolean {
  return document.querySelector('[data-window][data-closed]') !== null;
}
