import type { LucideIcon } from 'lucide-react/types';
import {
  ArchiveRestore,
  ArrowLeftToLine,
  ArrowRightToLine,
  Ban,
  Bookmark,
  Bot,
  Cable,
  ChevronDown,
  ChevronsUpDown,
  CircleQuestionMark,
  CircleUser,
  ClipboardPaste,
  Copy,
  CopyPlus,
  CornerDownRight,
  Eraser,
  FileDown,
  FileUp,
  Focus,
  FolderOpen,
  FolderPlus,
  Gauge,
  GitCompareArrows,
  Group,
  Hand,
  History,
  ImageDown,
  Languages,
  LogOut,
  MapIcon,
  Maximize,
  MessageCircleQuestion,
  MessageSquare,
  MousePointerClick,
  PanelBottom,
  PanelLeft,
  PencilLine,
  Play,
  Plug,
  Redo2,
  RefreshCw,
  Scan,
  Scissors,
  Search,
  SlidersHorizontal,
  Square,
  SquareArrowOutUpRight,
  SquareDashedMousePointer,
  StickyNote,
  SunMoon,
  Trash2,
  Undo2,
  Ungroup,
  UserRound,
  UserRoundPlus,
  Workflow,
  Zap,
  ZoomIn,
  ZoomOut,
} from '../../../ui/icons/icons.ts';
import type { Panels } from './panels.tsx';
import { shortcutLabel } from './shortcut-label.ts';

/** What an action needs that opens something. */
type Facts = { readOnly: boolean; mobile: boolean; hasAccount: boolean; hasProject: boolean };
const forEditors = ({ readOnly }: Facts) => !readOnly;
const forAccounts = ({ hasAccount, hasProject }: Facts) => hasAccount && hasProject;
const forInvitations = ({ readOnly, hasAccount }: Facts) => !readOnly && hasAccount;
const forOwners = (facts: Facts) => forEditors(facts) && forAccounts(facts);

const toggle = (panel: 'sidebar' | 'versions' | 'history' | 'performance' | 'minimap') => (panels: Panels) => ({ [panel]: !panels[panel] });

/** The icon and keys of an action; `keys` in the format of `shortcutLabel`, the first of them is shown. */
type ActionLook = {
  icon: LucideIcon;
  keys?: readonly string[];
  danger?: boolean;
  /** The panel or window that it opens, or closes again. */
  opens?: Partial<Panels> | ((panels: Panels) => Partial<Panels>);
  /** Whether it can be opened; always, without it. */
  needs?: (facts: Facts) => boolean;
};

const table = {
  startRun: { icon: Play, keys: ['alt+R'] },
  stopRun: { icon: Square, keys: ['alt+S'] },
  clearRun: { icon: Eraser },
  find: { icon: Search, keys: ['mod+F'], opens: { window: { kind: 'palette', scope: 'nodes' } } },
  fit: { icon: Maximize, keys: ['shift+1'] },
  zoomToSelection: { icon: Focus, keys: ['shift+2'] },
  actualSize: { icon: Scan, keys: ['0'] },
  zoomIn: { icon: ZoomIn, keys: ['+'] },
  zoomOut: { icon: ZoomOut, keys: ['−'] },
  open: { icon: SquareArrowOutUpRight, keys: ['Enter'] },
  holdLinks: { icon: Hand, keys: ['H'] },
  linkSettings: { icon: SlidersHorizontal, keys: ['E'] },
  showSource: { icon: ArrowLeftToLine },
  showTarget: { icon: ArrowRightToLine },
  rename: { icon: PencilLine, keys: ['F2'] },
  addNote: { icon: StickyNote, keys: ['N'] },
  addDialog: { icon: MessageSquare },
  addStart: { icon: Zap },
  addAgent: { icon: Bot, needs: forEditors, opens: { window: { kind: 'addAgent' } } },
  addUser: { icon: UserRound, needs: forEditors, opens: { window: { kind: 'addUser' } } },
  projects: { icon: FolderOpen, keys: ['alt+O'], needs: forOwners, opens: { window: { kind: 'projects' } } },
  newProject: { icon: FolderPlus, needs: forOwners, opens: { window: { kind: 'projectForm', project: null } } },
  tools: { icon: Plug, keys: ['alt+T'], needs: forOwners, opens: { window: { kind: 'tools' } } },
  connect: { icon: Cable, keys: ['alt+K'], needs: forOwners, opens: { window: { kind: 'connect' } } },
  triggers: { icon: Zap, needs: forOwners, opens: { window: { kind: 'connect', section: 'triggers' } } },
  connections: { icon: SlidersHorizontal, keys: ['alt+C'], needs: forOwners, opens: { window: { kind: 'connections' } } },
  inviteMember: { icon: UserRoundPlus, needs: forInvitations, opens: { window: { kind: 'inviteMember' } } },
  copy: { icon: Copy, keys: ['mod+C'] },
  cut: { icon: Scissors, keys: ['mod+X'] },
  paste: { icon: ClipboardPaste, keys: ['mod+V'] },
  duplicate: { icon: CopyPlus, keys: ['mod+D'] },
  group: { icon: Group, keys: ['mod+G'] },
  ungroup: { icon: Ungroup, keys: ['shift+mod+G'] },
  alignLeft: { icon: Workflow, keys: ['alt+shift+A'] },
  alignCentre: { icon: Workflow, keys: ['alt+shift+C'] },
  alignRight: { icon: Workflow, keys: ['alt+shift+D'] },
  alignTop: { icon: Workflow, keys: ['alt+shift+W'] },
  alignMiddle: { icon: Workflow, keys: ['alt+shift+M'] },
  alignBottom: { icon: Workflow, keys: ['alt+shift+S'] },
  distributeHorizontally: { icon: Workflow, keys: ['alt+shift+H'] },
  distributeVertically: { icon: Workflow, keys: ['alt+shift+V'] },
  disableCards: { icon: Ban, keys: ['D'] },
  runCard: { icon: Play },
  runFromCard: { icon: Play },
  cardSettings: { icon: SlidersHorizontal, keys: ['shift+E'] },
  fold: { icon: ChevronDown, keys: ['F'] },
  foldAll: { icon: ChevronsUpDown, keys: ['shift+F'] },
  layout: { icon: Workflow, keys: ['alt+L'] },
  undo: { icon: Undo2, keys: ['mod+Z'] },
  redo: { icon: Redo2, keys: ['shift+mod+Z', 'mod+Y'] },
  selectAll: { icon: SquareDashedMousePointer, keys: ['mod+A'] },
  selectLinked: { icon: CornerDownRight },
  saveJson: { icon: FileDown },
  savePicture: { icon: ImageDown, keys: ['shift+mod+E'] },
  openJson: { icon: FileUp },
  toggleConsole: { icon: PanelBottom, keys: ['mod+J'], opens: ({ console: is }) => ({ console: is === 'closed' ? 'open' : 'closed' }) },
  toggleSidebar: { icon: PanelLeft, keys: ['mod+B'], needs: ({ mobile, readOnly }) => mobile || !readOnly, opens: toggle('sidebar') },
  toggleVersions: { icon: Bookmark, keys: ['alt+V'], needs: forAccounts, opens: toggle('versions') },
  questions: {
    icon: MessageCircleQuestion,
    keys: ['alt+Q'],
    needs: forAccounts,
    opens: { window: { kind: 'questions', questionId: null } },
  },
  toggleHistory: { icon: History, keys: ['alt+H'], needs: ({ hasProject }) => hasProject, opens: toggle('history') },
  togglePerformance: { icon: Gauge, keys: ['alt+P'], opens: toggle('performance') },
  toggleMinimap: { icon: MapIcon, keys: ['M'], needs: ({ mobile }) => !mobile, opens: toggle('minimap') },
  palette: { icon: MousePointerClick, keys: ['mod+K'], opens: { window: { kind: 'palette', scope: 'all' } } },
  shortcuts: { icon: CircleQuestionMark, keys: ['?'], opens: { window: { kind: 'shortcuts' } } },
  help: { icon: CircleQuestionMark },
  theme: { icon: SunMoon },
  language: { icon: Languages },
  reload: { icon: RefreshCw },
  syncMenu: { icon: GitCompareArrows },
  restoreAgents: { icon: ArchiveRestore },
  account: { icon: CircleUser, needs: ({ hasAccount }) => hasAccount, opens: { window: { kind: 'account' } } },
  signOut: { icon: LogOut },
  delete: { icon: Trash2, keys: ['Delete', 'Backspace'], danger: true },
} as const satisfies Record<string, ActionLook>;

export type ActionName = keyof typeof table;

/** All actions of the context menu and the palette, by the keys of their texts in the locales. */
export const actionTable: Readonly<Record<ActionName, ActionLook>> = table;

/** The actions that open a panel or a window. */
export type PanelAction = { [Name in ActionName]: (typeof table)[Name] extends { opens: unknown } ? Name : never }[ActionName];
export const panelActions = (Object.keys(table) as ActionName[]).filter(
  (name): name is PanelAction => actionTable[name].opens !== undefined,
);

/** The shown keys of an action, for what opens or closes it. */
export const shortcutOf = (name: ActionName): string => shortcutLabel(actionTable[name].keys?.[0] ?? '');
