import type { MenuTarget } from '../../../canvas/menu-request.ts';
import type { ActionName } from './action-table.ts';

/** The actions of each kind of context menu, in groups with lines between them. */
export const menuContents: Record<MenuTarget['kind'] | 'annotation', readonly (readonly ActionName[])[]> = {
  canvas: [
    ['paste', 'addNote', 'addDialog', 'addStart'],
    ['selectAll', 'fit', 'actualSize'],
    ['layout', 'savePicture', 'saveJson', 'openJson'],
    ['find', 'toggleMinimap', 'shortcuts'],
  ],
  node: [['open', 'rename', 'zoomToSelection', 'selectLinked'], ['copy', 'cut', 'duplicate', 'group'], ['delete']],
  link: [['showSource', 'showTarget', 'zoomToSelection'], ['delete']],
  selection: [['zoomToSelection', 'selectLinked', 'group', 'layout', 'savePicture', 'saveJson'], ['copy', 'cut', 'duplicate'], ['delete']],
  annotation: [['rename', 'zoomToSelection'], ['copy', 'cut', 'duplicate'], ['delete']],
};
