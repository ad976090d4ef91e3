/** In a window lower than this (CSS px) the bar below the canvas is one row, with the console's button in it. The stylesheets have the same limit. */
const minRoomyHeight = 600;

/** Whether a window is low: one that is zoomed to 200 %, or a phone that is held sideways. */
export function isShortWindow(height: number): boolean {
  return height < minRoomyHeight;
}
