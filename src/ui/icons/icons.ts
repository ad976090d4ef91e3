import { icon } from './icon.tsx';

/**
 * The pictures of the interface: shapes of lucide 1.75.0 (https://lucide.dev), each in a box of 24 x 24, one export an icon so that
 * a page loads those that it shows. Their licence stands in `icons-licence.txt`.
 */
export * from './first-icons.ts';

export const Archive = /* @__PURE__ */ icon(
  ['rect', { width: '20', height: '5', x: '2', y: '3', rx: '1' }],
  'M4 8v11a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8',
  'M10 12h4',
);
export const ArchiveRestore = /* @__PURE__ */ icon(
  ['rect', { width: '20', height: '5', x: '2', y: '3', rx: '1' }],
  'M4 8v11a2 2 0 0 0 2 2h2',
  'M20 8v11a2 2 0 0 1-2 2h-2',
  'm9 15 3-3 3 3',
  'M12 12v9',
);
export const ArrowDown = /* @__PURE__ */ icon('M12 5v14', 'm19 12-7 7-7-7');
export const ArrowLeft = /* @__PURE__ */ icon('m12 19-7-7 7-7', 'M19 12H5');
export const ArrowLeftToLine = /* @__PURE__ */ icon('M3 19V5', 'm13 6-6 6 6 6', 'M7 12h14');
export const ArrowRightToLine = /* @__PURE__ */ icon('M17 12H3', 'm11 18 6-6-6-6', 'M21 5v14');
export const ArrowUp = /* @__PURE__ */ icon('m5 12 7-7 7 7', 'M12 19V5');
export const BadgeCheck = /* @__PURE__ */ icon(
  'M3.85 8.62a4 4 0 0 1 4.78-4.77 4 4 0 0 1 6.74 0 4 4 0 0 1 4.78 4.78 4 4 0 0 1 0 6.74 4 4 0 0 1-4.77 4.78 4 4 0 0 1-6.75 0 4 4 0 0 1-4.78-4.77 4 4 0 0 1 0-6.76Z',
  'm9 12 2 2 4-4',
);
export const Ban = /* @__PURE__ */ icon(['circle', { cx: '12', cy: '12', r: '10' }], 'M4.929 4.929 19.07 19.071');
export const Bot = /* @__PURE__ */ icon(
  'M12 8V4H8',
  ['rect', { width: '16', height: '12', x: '4', y: '8', rx: '2' }],
  'M2 14h2',
  'M20 14h2',
  'M15 13v2',
  'M9 13v2',
);
export const Brain = /* @__PURE__ */ icon(
  'M12 18V5',
  'M15 13a4.17 4.17 0 01-3-4 4.17 4.17 0 01-3 4',
  'M17.707 6.294A3 3 0 1012 5a3 3 0 10-5.707 1.294',
  'M17.996 5.125a4 4 0 012.526 5.77',
  'M18 18a4 4 0 002-7.465',
  'M19.967 17.482a4 4 0 11-7.967.517 4 4 0 11-7.967-.517',
  'M6 18a4 4 0 01-2-7.465',
  'M6.004 5.125a4 4 0 00-2.526 5.77',
);
export const Building = /* @__PURE__ */ icon(
  'M6 22V4a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v18Z',
  'M6 12H4a2 2 0 0 0-2 2v6a2 2 0 0 0 2 2h2',
  'M18 9h2a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-2',
  'M10 6h4',
  'M10 10h4',
  'M10 14h4',
  'M10 18h4',
);
export const Check = /* @__PURE__ */ icon('M20 6 9 17l-5-5');
export const ChevronDown = /* @__PURE__ */ icon('m6 9 6 6 6-6');
export const ChevronRight = /* @__PURE__ */ icon('m9 18 6-6-6-6');
export const ChevronUp = /* @__PURE__ */ icon('m18 15-6-6-6 6');
export const ChevronsUpDown = /* @__PURE__ */ icon('m7 15 5 5 5-5', 'm7 9 5-5 5 5');
export const Circle = /* @__PURE__ */ icon(['circle', { cx: '12', cy: '12', r: '10' }]);
export const CircleAlert = /* @__PURE__ */ icon(
  ['circle', { cx: '12', cy: '12', r: '10' }],
  ['line', { x1: '12', x2: '12', y1: '8', y2: '12' }],
  ['line', { x1: '12', x2: '12.01', y1: '16', y2: '16' }],
);
export const CircleCheck = /* @__PURE__ */ icon(['circle', { cx: '12', cy: '12', r: '10' }], 'm16 9-5.5 5.5L8 12');
export const CircleHelp = /* @__PURE__ */ icon(
  ['circle', { cx: '12', cy: '12', r: '10' }],
  'M9 9.5a3 2.5 0 016 0c0 2-2 2-3 3.5',
  'M12 17h.01',
);
export const CirclePause = /* @__PURE__ */ icon(
  ['circle', { cx: '12', cy: '12', r: '10' }],
  ['line', { x1: '10', x2: '10', y1: '15', y2: '9' }],
  ['line', { x1: '14', x2: '14', y1: '15', y2: '9' }],
);
export const CircleX = /* @__PURE__ */ icon(['circle', { cx: '12', cy: '12', r: '10' }], 'm15 9-6 6', 'm9 9 6 6');
export const CircleUser = /* @__PURE__ */ icon(
  ['circle', { cx: '12', cy: '12', r: '10' }],
  ['circle', { cx: '12', cy: '10', r: '3' }],
  'M7 20.662V19a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v1.662',
);
export const ClipboardPaste = /* @__PURE__ */ icon(
  'M11 14h10',
  'M16 4h2a2 2 0 0 1 2 2v1.344',
  'm17 18 4-4-4-4',
  'M8 4H6a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h12a2 2 0 0 0 1.793-1.113',
  ['rect', { x: '8', y: '2', width: '8', height: '4', rx: '1' }],
);
export const Clock = /* @__PURE__ */ icon(['circle', { cx: '12', cy: '12', r: '10' }], 'M12 6v6l4 2');
export const Cloud = /* @__PURE__ */ icon('M17.5 19H9a7 7 0 1 1 6.71-9h1.79a4.5 4.5 0 1 1 0 9Z');
export const CloudAlert = /* @__PURE__ */ icon('M12 12v4', 'M12 20h.01', 'M8.128 16.949A7 7 0 1 1 15.71 8h1.79a1 1 0 0 1 0 9h-1.642');
export const CloudCheck = /* @__PURE__ */ icon('m17 15-5.5 5.5L9 18', 'M5.516 16.07A7 7 0 1 1 15.71 8h1.79a4.5 4.5 0 0 1 3.501 7.327');
export const CloudOff = /* @__PURE__ */ icon(
  'M10.94 5.274A7 7 0 0 1 15.71 10h1.79a4.5 4.5 0 0 1 4.222 6.057',
  'M18.796 18.81A4.5 4.5 0 0 1 17.5 19H9A7 7 0 0 1 5.79 5.78',
  'm2 2 20 20',
);
export const CloudUpload = /* @__PURE__ */ icon('M12 13v8', 'M4 14.899A7 7 0 1 1 15.71 8h1.79a4.5 4.5 0 0 1 2.5 8.242', 'm8 17 4-4 4 4');
export const CopyPlus = /* @__PURE__ */ icon(
  ['line', { x1: '15', x2: '15', y1: '12', y2: '18' }],
  ['line', { x1: '12', x2: '18', y1: '15', y2: '15' }],
  ['rect', { width: '14', height: '14', x: '8', y: '8', rx: '2', ry: '2' }],
  'M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2',
);
export const CornerDownRight = /* @__PURE__ */ icon('m15 10 5 5-5 5', 'M4 4v7a4 4 0 0 0 4 4h12');
export const Crosshair = /* @__PURE__ */ icon(
  ['circle', { cx: '12', cy: '12', r: '10' }],
  ['line', { x1: '22', x2: '18', y1: '12', y2: '12' }],
  ['line', { x1: '6', x2: '2', y1: '12', y2: '12' }],
  ['line', { x1: '12', x2: '12', y1: '6', y2: '2' }],
  ['line', { x1: '12', x2: '12', y1: '22', y2: '18' }],
);
export const Eraser = /* @__PURE__ */ icon(
  'M21 21H8a2 2 0 0 1-1.42-.587l-3.994-3.999a2 2 0 0 1 0-2.828l10-10a2 2 0 0 1 2.829 0l5.999 6a2 2 0 0 1 0 2.828L12.834 21',
  'm5.082 11.09 8.828 8.828',
);
export const Eye = /* @__PURE__ */ icon(
  'M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0 1-19.876 0',
  ['circle', { cx: '12', cy: '12', r: '3' }],
);
export const EyeOff = /* @__PURE__ */ icon(
  'M10.733 5.076a10.744 10.744 0 0 1 11.205 6.575 1 1 0 0 1 0 .696 10.747 10.747 0 0 1-1.444 2.49',
  'M14.084 14.158a3 3 0 0 1-4.242-4.242',
  'M17.479 17.499a10.75 10.75 0 0 1-15.417-5.151 1 1 0 0 1 0-.696 10.75 10.75 0 0 1 4.446-5.143',
  'm2 2 20 20',
);
export const FileCode = /* @__PURE__ */ icon(
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z',
  'M14 2v5a1 1 0 0 0 1 1h5',
  'M10 12.5 8 15l2 2.5',
  'm14 12.5 2 2.5-2 2.5',
);
export const FileDown = /* @__PURE__ */ icon(
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z',
  'M14 2v5a1 1 0 0 0 1 1h5',
  'M12 18v-6',
  'm9 15 3 3 3-3',
);
export const FileText = /* @__PURE__ */ icon(
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z',
  'M14 2v5a1 1 0 0 0 1 1h5',
  'M10 9H8',
  'M16 13H8',
  'M16 17H8',
);
export const FileUp = /* @__PURE__ */ icon(
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z',
  'M14 2v5a1 1 0 0 0 1 1h5',
  'M12 12v6',
  'm15 15-3-3-3 3',
);
export const FlaskRound = /* @__PURE__ */ icon('M10 2v6.292a7 7 0 1 0 4 0V2', 'M5 15h14', 'M8.5 2h7');
export const Focus = /* @__PURE__ */ icon(
  ['circle', { cx: '12', cy: '12', r: '3' }],
  'M3 7V5a2 2 0 0 1 2-2h2',
  'M17 3h2a2 2 0 0 1 2 2v2',
  'M21 17v2a2 2 0 0 1-2 2h-2',
  'M7 21H5a2 2 0 0 1-2-2v-2',
);
export const Folder = /* @__PURE__ */ icon(
  'M20 20a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.9a2 2 0 0 1-1.69-.9L9.6 3.9A2 2 0 0 0 7.93 3H4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2Z',
);
export const FolderOpen = /* @__PURE__ */ icon(
  'm6 14 1.5-2.9A2 2 0 0 1 9.24 10H20a2 2 0 0 1 1.94 2.5l-1.54 6a2 2 0 0 1-1.95 1.5H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h3.9a2 2 0 0 1 1.69.9l.81 1.2a2 2 0 0 0 1.67.9H18a2 2 0 0 1 2 2v2',
);
export const FolderPlus = /* @__PURE__ */ icon(
  'M12 10v6',
  'M9 13h6',
  'M20 20a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.9a2 2 0 0 1-1.69-.9L9.6 3.9A2 2 0 0 0 7.93 3H4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2Z',
);
export const Gauge = /* @__PURE__ */ icon('m12 14 4-4', 'M3.34 19a10 10 0 1 1 17.32 0');
export const GitBranch = /* @__PURE__ */ icon(
  ['line', { x1: '6', x2: '6', y1: '3', y2: '15' }],
  ['circle', { cx: '18', cy: '6', r: '3' }],
  ['circle', { cx: '6', cy: '18', r: '3' }],
  'M18 9a9 9 0 0 1-9 9',
);
export const GitCompareArrows = /* @__PURE__ */ icon(
  ['circle', { cx: '5', cy: '6', r: '3' }],
  'M12 6h5a2 2 0 0 1 2 2v7',
  'm15 9-3-3 3-3',
  ['circle', { cx: '19', cy: '18', r: '3' }],
  'M12 18H7a2 2 0 0 1-2-2V9',
  'm9 15 3 3-3 3',
);
export const GitPullRequest = /* @__PURE__ */ icon(
  ['circle', { cx: '18', cy: '18', r: '3' }],
  ['circle', { cx: '6', cy: '6', r: '3' }],
  'M13 6h3a2 2 0 0 1 2 2v7',
  ['line', { x1: '6', x2: '6', y1: '9', y2: '21' }],
);
export const Group = /* @__PURE__ */ icon(
  'M3 7V5c0-1.1.9-2 2-2h2',
  'M17 3h2c1.1 0 2 .9 2 2v2',
  'M21 17v2c0 1.1-.9 2-2 2h-2',
  'M7 21H5c-1.1 0-2-.9-2-2v-2',
  ['rect', { width: '7', height: '5', x: '7', y: '7', rx: '1' }],
  ['rect', { width: '7', height: '5', x: '10', y: '12', rx: '1' }],
);
export const Hand = /* @__PURE__ */ icon(
  'M18 11V6a2 2 0 0 0-2-2a2 2 0 0 0-2 2',
  'M14 10V4a2 2 0 0 0-2-2a2 2 0 0 0-2 2v2',
  'M10 10.5V6a2 2 0 0 0-2-2a2 2 0 0 0-2 2v8',
  'M18 8a2 2 0 1 1 4 0v6a8 8 0 0 1-8 8h-2c-2.8 0-4.5-.86-5.99-2.34l-3.6-3.6a2 2 0 0 1 2.83-2.82L7 15',
);
export const History = /* @__PURE__ */ icon('M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8', 'M3 3v5h5', 'M12 7v5l4 2');
export const Hourglass = /* @__PURE__ */ icon(
  'M5 22h14',
  'M5 2h14',
  'M17 22v-4.172a2 2 0 0 0-.586-1.414L12 12l-4.414 4.414A2 2 0 0 0 7 17.828V22',
  'M7 2v4.172a2 2 0 0 0 .586 1.414L12 12l4.414-4.414A2 2 0 0 0 17 6.172V2',
);
export const ImageDown = /* @__PURE__ */ icon(
  'M10.3 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v10l-3.1-3.1a2 2 0 0 0-2.814.014L6 21',
  'm14 19 3 3v-5.5',
  'm17 22 3-3',
  ['circle', { cx: '9', cy: '9', r: '2' }],
);
export const Inbox = /* @__PURE__ */ icon(
  'M22 12h-6l-2 3h-4l-2-3H2',
  'M5.45 5.11 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6l-3.45-6.89A2 2 0 0 0 16.76 4H7.24a2 2 0 0 0-1.79 1.11',
);
export const Info = /* @__PURE__ */ icon(['circle', { cx: '12', cy: '12', r: '10' }], 'M12 16v-4', 'M12 8h.01');
export const Languages = /* @__PURE__ */ icon('m5 8 6 6', 'm4 14 6-6 2-3', 'M2 5h12', 'M7 2h1', 'm22 22-5-10-5 10', 'M14 18h6');
export const Laptop = /* @__PURE__ */ icon(
  'M18 5a2 2 0 0 1 2 2v8.526a2 2 0 0 0 .212.897l1.068 2.127a1 1 0 0 1-.9 1.45H3.62a1 1 0 0 1-.9-1.45l1.068-2.127A2 2 0 0 0 4 15.526V7a2 2 0 0 1 2-2z',
  'M20.054 15.987H3.946',
);
export const LayoutTemplate = /* @__PURE__ */ icon(
  ['rect', { width: '18', height: '7', x: '3', y: '3', rx: '1' }],
  ['rect', { width: '9', height: '7', x: '3', y: '14', rx: '1' }],
  ['rect', { width: '5', height: '7', x: '16', y: '14', rx: '1' }],
);
export const Lightbulb = /* @__PURE__ */ icon(
  'M15 14c.2-1 .7-1.7 1.5-2.5 1-.9 1.5-2.2 1.5-3.5A6 6 0 0 0 6 8c0 1 .2 2.2 1.5 3.5.7.7 1.3 1.5 1.5 2.5',
  'M9 18h6',
  'M10 22h4',
);
export const ListChecks = /* @__PURE__ */ icon('m3 17 2 2 4-4', 'm3 7 2 2 4-4', 'M13 6h8', 'M13 12h8', 'M13 18h8');
export const LoaderCircle = /* @__PURE__ */ icon('M21 12a9 9 0 1 1-6.219-8.56');
export const Lock = /* @__PURE__ */ icon(
  ['rect', { width: '18', height: '11', x: '3', y: '11', rx: '2', ry: '2' }],
  'M7 11V7a5 5 0 0 1 10 0v4',
);
export const LogIn = /* @__PURE__ */ icon('m10 17 5-5-5-5', 'M15 12H3', 'M15 3h4a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-4');
export const LogOut = /* @__PURE__ */ icon('m16 17 5-5-5-5', 'M21 12H9', 'M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4');
export const Magnet = /* @__PURE__ */ icon(
  'm12 15 4 4',
  'M2.352 10.648a1.205 1.205 0 0 0 0 1.704l2.296 2.296a1.205 1.205 0 0 0 1.704 0l6.029-6.029a1 1 0 1 1 3 3l-6.029 6.029a1.205 1.205 0 0 0 0 1.704l2.296 2.296a1.205 1.205 0 0 0 1.704 0l6.365-6.367A1 1 0 0 0 8.716 4.282z',
  'm5 8 4 4',
);
export const Mail = /* @__PURE__ */ icon('m22 7-8.991 5.727a2 2 0 0 1-2.009 0L2 7', [
  'rect',
  { x: '2', y: '4', width: '20', height: '16', rx: '2' },
]);
export const MapIcon = /* @__PURE__ */ icon(
  'M14.106 5.553a2 2 0 0 0 1.788 0l3.659-1.83A1 1 0 0 1 21 4.619v12.764a1 1 0 0 1-.553.894l-4.553 2.277a2 2 0 0 1-1.788 0l-4.212-2.106a2 2 0 0 0-1.788 0l-3.659 1.83A1 1 0 0 1 3 19.381V6.618a1 1 0 0 1 .553-.894l4.553-2.277a2 2 0 0 1 1.788 0z',
  'M15 5.764v15',
  'M9 3.236v15',
);
export const MapPinOff = /* @__PURE__ */ icon(
  'M12.75 7.09a3 3 0 0 1 2.16 2.16',
  'M17.072 17.072c-1.634 2.17-3.527 3.912-4.471 4.727a1 1 0 0 1-1.202 0C9.539 20.193 4 14.993 4 10a8 8 0 0 1 1.432-4.568',
  'm2 2 20 20',
  'M8.475 2.818A8 8 0 0 1 20 10c0 1.183-.31 2.377-.81 3.533',
  'M9.13 9.13a3 3 0 0 0 3.74 3.74',
);
export const Maximize = /* @__PURE__ */ icon(
  'M8 3H5a2 2 0 0 0-2 2v3',
  'M21 8V5a2 2 0 0 0-2-2h-3',
  'M3 16v3a2 2 0 0 0 2 2h3',
  'M16 21h3a2 2 0 0 0 2-2v-3',
);
export const Maximize2 = /* @__PURE__ */ icon('M15 3h6v6', 'm21 3-7 7', 'm3 21 7-7', 'M9 21H3v-6');
export const MessageCircle = /* @__PURE__ */ icon(
  'M2.992 16.342a2 2 0 0 1 .094 1.167l-1.065 3.29a1 1 0 0 0 1.236 1.168l3.413-.998a2 2 0 0 1 1.099.092 10 10 0 1 0-4.777-4.719',
);
export const Minimize2 = /* @__PURE__ */ icon('m14 10 7-7', 'M20 10h-6V4', 'm3 21 7-7', 'M4 14h6v6');
export const Minus = /* @__PURE__ */ icon('M5 12h14');
export const MonitorX = /* @__PURE__ */ icon(
  'm14.5 12.5-5-5',
  'm9.5 12.5 5-5',
  ['rect', { width: '20', height: '14', x: '2', y: '3', rx: '2' }],
  'M12 17v4',
  'M8 21h8',
);
export const MousePointer2 = /* @__PURE__ */ icon(
  'M4.037 4.688a.495.495 0 0 1 .651-.651l16 6.5a.5.5 0 0 1-.063.947l-6.124 1.58a2 2 0 0 0-1.438 1.435l-1.579 6.126a.5.5 0 0 1-.947.063z',
);
export const MousePointerClick = /* @__PURE__ */ icon(
  'M14 4.1 12 6',
  'm5.1 8-2.9-.8',
  'm6 12-1.9 2',
  'M7.2 2.2 8 5.1',
  'M9.037 9.69a.498.498 0 0 1 .653-.653l11 4.5a.5.5 0 0 1-.074.949l-4.349 1.041a1 1 0 0 0-.74.739l-1.04 4.35a.5.5 0 0 1-.95.074z',
);
export const OctagonX = /* @__PURE__ */ icon(
  'm15 9-6 6',
  'M2.586 16.726A2 2 0 0 1 2 15.312V8.688a2 2 0 0 1 .586-1.414l4.688-4.688A2 2 0 0 1 8.688 2h6.624a2 2 0 0 1 1.414.586l4.688 4.688A2 2 0 0 1 22 8.688v6.624a2 2 0 0 1-.586 1.414l-4.688 4.688a2 2 0 0 1-1.414.586H8.688a2 2 0 0 1-1.414-.586z',
  'm9 9 6 6',
);
export const PanelBottom = /* @__PURE__ */ icon(['rect', { width: '18', height: '18', x: '3', y: '3', rx: '2' }], 'M3 15h18');
export const PanelLeft = /* @__PURE__ */ icon(['rect', { width: '18', height: '18', x: '3', y: '3', rx: '2' }], 'M9 3v18');
export const PanelLeftClose = /* @__PURE__ */ icon(
  ['rect', { width: '18', height: '18', x: '3', y: '3', rx: '2' }],
  'M9 3v18',
  'm16 15-3-3 3-3',
);
export const PencilLine = /* @__PURE__ */ icon(
  'M13 21h8',
  'm15 5 4 4',
  'M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z',
);
export const Play = /* @__PURE__ */ icon('M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z');
export const Plug = /* @__PURE__ */ icon(
  'M12 22v-5',
  'M15 8V2',
  'M17 8a1 1 0 0 1 1 1v4a4 4 0 0 1-4 4h-4a4 4 0 0 1-4-4V9a1 1 0 0 1 1-1z',
  'M9 8V2',
);
export const Plus = /* @__PURE__ */ icon('M5 12h14', 'M12 5v14');
export const Radio = /* @__PURE__ */ icon(
  'M16.247 7.761a6 6 0 0 1 0 8.478',
  'M19.075 4.933a10 10 0 0 1 0 14.134',
  'M4.925 19.067a10 10 0 0 1 0-14.134',
  'M7.753 16.239a6 6 0 0 1 0-8.478',
  ['circle', { cx: '12', cy: '12', r: '2' }],
);
export const Redo2 = /* @__PURE__ */ icon('m15 14 5-5-5-5', 'M20 9H9.5A5.5 5.5 0 0 0 4 14.5A5.5 5.5 0 0 0 9.5 20H13');
export const RefreshCw = /* @__PURE__ */ icon(
  'M3 12a9 9 0 0 1 9-9 9.75 9.75 0 0 1 6.74 2.74L21 8',
  'M21 3v5h-5',
  'M21 12a9 9 0 0 1-9 9 9.75 9.75 0 0 1-6.74-2.74L3 16',
  'M8 16H3v5',
);
export const Rocket = /* @__PURE__ */ icon(
  'M4.5 16.5c-1.5 1.26-2 5-2 5s3.74-.5 5-2c.71-.84.7-2.13-.09-2.91a2.18 2.18 0 0 0-2.91-.09z',
  'm12 15-3-3a22 22 0 0 1 2-3.95A12.88 12.88 0 0 1 22 2c0 2.72-.78 7.5-6 11a22.35 22.35 0 0 1-4 2z',
  'M9 12H4s.55-3.03 2-4c1.62-1.08 5 0 5 0',
  'M12 15v5s3.03-.55 4-2c1.08-1.62 0-5 0-5',
);
export const RotateCcw = /* @__PURE__ */ icon('M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8', 'M3 3v5h5');
export const RotateCw = /* @__PURE__ */ icon('M21 12a9 9 0 1 1-9-9c2.52 0 4.93 1 6.74 2.74L21 8', 'M21 3v5h-5');
export const Scan = /* @__PURE__ */ icon(
  'M3 7V5a2 2 0 0 1 2-2h2',
  'M17 3h2a2 2 0 0 1 2 2v2',
  'M21 17v2a2 2 0 0 1-2 2h-2',
  'M7 21H5a2 2 0 0 1-2-2v-2',
);
export const Scissors = /* @__PURE__ */ icon(
  ['circle', { cx: '6', cy: '6', r: '3' }],
  'M8.12 8.12 12 12',
  'M20 4 8.12 15.88',
  ['circle', { cx: '6', cy: '18', r: '3' }],
  'M14.8 14.8 20 20',
);
export const Search = /* @__PURE__ */ icon('m21 21-4.34-4.34', ['circle', { cx: '11', cy: '11', r: '8' }]);
export const SkipForward = /* @__PURE__ */ icon(
  'M21 4v16',
  'M6.029 4.285A2 2 0 0 0 3 6v12a2 2 0 0 0 3.029 1.715l9.997-5.998a2 2 0 0 0 .003-3.432z',
);
export const SquareArrowOutUpRight = /* @__PURE__ */ icon(
  'M21 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h6',
  'm21 3-9 9',
  'M15 3h6v6',
);
export const SquareDashedMousePointer = /* @__PURE__ */ icon(
  'M12.034 12.681a.498.498 0 0 1 .647-.647l9 3.5a.5.5 0 0 1-.033.943l-3.444 1.068a1 1 0 0 0-.66.66l-1.067 3.443a.5.5 0 0 1-.943.033z',
  'M5 3a2 2 0 0 0-2 2',
  'M19 3a2 2 0 0 1 2 2',
  'M5 21a2 2 0 0 1-2-2',
  'M9 3h1',
  'M9 21h2',
  'M14 3h1',
  'M3 9v1',
  'M21 9v2',
  'M3 14v1',
);
export const Stethoscope = /* @__PURE__ */ icon(
  'M11 2v2',
  'M5 2v2',
  'M5 3H4a2 2 0 0 0-2 2v4a6 6 0 0 0 12 0V5a2 2 0 0 0-2-2h-1',
  'M8 15a6 6 0 0 0 12 0v-3',
  ['circle', { cx: '20', cy: '10', r: '2' }],
);
export const SunMoon = /* @__PURE__ */ icon(
  'M12 2v2',
  'M14.837 16.385a6 6 0 1 1-7.223-7.222c.624-.147.97.66.715 1.248a4 4 0 0 0 5.26 5.259c.589-.255 1.396.09 1.248.715',
  'M16 12a4 4 0 0 0-4-4',
  'm19 5-1.256 1.256',
  'M20 12h2',
);
export const Terminal = /* @__PURE__ */ icon('M12 19h8', 'm4 17 6-6-6-6');
export const Trash2 = /* @__PURE__ */ icon(
  'M10 11v6',
  'M14 11v6',
  'M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6',
  'M3 6h18',
  'M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2',
);
export const Undo2 = /* @__PURE__ */ icon('M9 14 4 9l5-5', 'M4 9h10.5a5.5 5.5 0 0 1 5.5 5.5a5.5 5.5 0 0 1-5.5 5.5H11');
export const Ungroup = /* @__PURE__ */ icon(
  ['rect', { x: '11', y: '14', width: '10', height: '7', rx: '2' }],
  ['rect', { x: '3', y: '3', width: '10', height: '7', rx: '2' }],
);
export const Unplug = /* @__PURE__ */ icon(
  'm19 5 3-3',
  'm2 22 3-3',
  'M6.3 20.3a2.4 2.4 0 0 0 3.4 0L12 18l-6-6-2.3 2.3a2.4 2.4 0 0 0 0 3.4Z',
  'M7.5 13.5 10 11',
  'M10.5 16.5 13 14',
  'm12 6 6 6 2.3-2.3a2.4 2.4 0 0 0 0-3.4l-2.6-2.6a2.4 2.4 0 0 0-3.4 0Z',
);
export const UserRoundPlus = /* @__PURE__ */ icon(
  'M2 21a8 8 0 0 1 13.292-6',
  ['circle', { cx: '10', cy: '8', r: '5' }],
  'M19 16v6',
  'M22 19h-6',
);
export const Workflow = /* @__PURE__ */ icon(['rect', { width: '8', height: '8', x: '3', y: '3', rx: '2' }], 'M7 11v4a2 2 0 0 0 2 2h4', [
  'rect',
  { width: '8', height: '8', x: '13', y: '13', rx: '2' },
]);
export const X = /* @__PURE__ */ icon('M18 6 6 18', 'm6 6 12 12');
export const ZoomIn = /* @__PURE__ */ icon(
  ['circle', { cx: '11', cy: '11', r: '8' }],
  ['line', { x1: '21', x2: '16.65', y1: '21', y2: '16.65' }],
  ['line', { x1: '11', x2: '11', y1: '8', y2: '14' }],
  ['line', { x1: '8', x2: '14', y1: '11', y2: '11' }],
);
export const ZoomOut = /* @__PURE__ */ icon(
  ['circle', { cx: '11', cy: '11', r: '8' }],
  ['line', { x1: '21', x2: '16.65', y1: '21', y2: '16.65' }],
  ['line', { x1: '8', x2: '14', y1: '11', y2: '11' }],
);
