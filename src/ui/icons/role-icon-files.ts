import * as appWindow from 'lucide-react/icons/app-window';
import * as chartColumn from 'lucide-react/icons/chart-column';
import * as circleQuestionMark from 'lucide-react/icons/circle-question-mark';
import * as codeXml from 'lucide-react/icons/code-xml';
import * as compass from 'lucide-react/icons/compass';
import * as container from 'lucide-react/icons/container';
import * as flaskConical from 'lucide-react/icons/flask-conical';
import * as frame from 'lucide-react/icons/frame';
import * as headset from 'lucide-react/icons/headset';
import * as messageSquare from 'lucide-react/icons/message-square';
import * as penTool from 'lucide-react/icons/pen-tool';
import * as server from 'lucide-react/icons/server';
import * as squareKanban from 'lucide-react/icons/square-kanban';
import * as stickyNote from 'lucide-react/icons/sticky-note';
import * as userRound from 'lucide-react/icons/user-round';
import * as waypoints from 'lucide-react/icons/waypoints';
import * as zap from 'lucide-react/icons/zap';
import type { RoleIconName } from './role-icon-name.ts';

/** lucide's file for the icon of each role and kind of node. A file has the icon's component for the page and its shapes for the canvas. */
export const roleIconFiles = {
  project: squareKanban,
  product: compass,
  architect: waypoints,
  analyst: chartColumn,
  developer: codeXml,
  frontend: appWindow,
  backend: server,
  devops: container,
  qa: flaskConical,
  ux: penTool,
  assistant: headset,
  trigger: zap,
  dialog: messageSquare,
  user: userRound,
  note: stickyNote,
  group: frame,
  unknown: circleQuestionMark,
} as const satisfies Record<RoleIconName, object>;
