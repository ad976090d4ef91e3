import { arrangeActions } from '../actions/selection-actions.ts';
import { type ActionName, actionTable } from '../frame/action-table.ts';

/** A line of the sheet: keys in the format of `shortcutLabel` with a `name` in the locales, or a gesture that the locales describe. */
export type ShortcutLine =
  | { kind: 'action'; name: ActionName; keys: readonly string[] }
  | { kind: 'key'; name: KeyName; keys: readonly string[] }
  | { kind: 'gesture'; name: GestureName };

type KeyName =
  | 'move'
  | 'moveFar'
  | 'resize'
  | 'panKeys'
  | 'escape'
  | 'menu'
  | 'walk'
  | 'walkCards'
  | 'moveInList'
  | 'link'
  | 'nextDifference'
  | 'previousDifference'
  | 'leaveComparison'
  | 'saveAgent'
  | 'sendDialog'
  | 'handMode'
  | 'selectMode';
type GestureName =
  | 'pan'
  | 'zoom'
  | 'select'
  | 'band'
  | 'add'
  | 'drag'
  | 'dragCopies'
  | 'dragFreely'
  | 'connect'
  | 'openCard'
  | 'context'
  | 'pinch';
type ShortcutGroup = { name: 'view' | 'edit' | 'list' | 'workspace' | 'hand'; lines: readonly ShortcutLine[] };

const action = (name: ActionName): ShortcutLine => {
  return { kind: 'action', name, keys: actionTable[name].keys ?? [] };
};
const key = (name: KeyName, ...keys: string[]): ShortcutLine => ({ kind: 'key', name, keys });
const gesture = (name: GestureName): ShortcutLine => ({ kind: 'gesture', name });

/** All keys and gestures of the workspace. A test compares it with the handlers. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    name: 'workspace',
    lines: [
      ...(
        [
          'palette',
          'find',
          'shortcuts',
          'savePicture',
          'startRun',
          'stopRun',
          'toggleConsole',
          'toggleSidebar',
          'toggleHistory',
          'toggleVersions',
          'questions',
        ] as const
      ).map(action),
      action('projects'),
      action('tools'),
      action('connections'),
      action('connect'),
      action('togglePerformance'),
      key('nextDifference', ']'),
      key('previousDifference', '['),
      key('leaveComparison', 'Escape'),
      key('saveAgent', 'mod+S'),
      key('sendDialog', 'mod+Enter'),
    ],
  },
  {
    name: 'view',
    lines: [
      ...(['fit', 'zoomToSelection', 'actualSize', 'zoomIn', 'zoomOut', 'toggleMinimap', 'fold', 'foldAll'] as const).map(action),
      key('panKeys', '← ↑ → ↓'),
    ],
  },
  {
    name: 'edit',
    lines: [
      ...(
        [
          'undo',
          'redo',
          'selectAll',
          'copy',
          'cut',
          'paste',
          'duplicate',
          'rename',
          'linkSettings',
          'holdLinks',
          'addNote',
          'group',
          'ungroup',
          'layout',
          ...arrangeActions,
          'disableCards',
          'cardSettings',
          'delete',
        ] as const
      ).map(action),
      key('move', '← ↑ → ↓'),
      key('moveFar', 'shift+← ↑ → ↓'),
      key('resize', 'alt+shift+← ↑ → ↓'),
      key('menu', 'shift+F10'),
      key('escape', 'Escape'),
      key('handMode', 'H'),
      key('selectMode', 'V'),
    ],
  },
  {
    name: 'list',
    lines: [key('walk', '↑ ↓'), key('walkCards', '← →'), key('moveInList', 'shift+← ↑ → ↓'), key('link', 'L'), action('open')],
  },
  {
    name: 'hand',
    lines: (
      ['pan', 'zoom', 'select', 'band', 'add', 'drag', 'dragCopies', 'dragFreely', 'connect', 'openCard', 'context', 'pinch'] as const
    ).map(gesture),
  },
];
