import { roleIconFiles } from '../../../ui/icons/role-icon-files.ts';
import type { RoleIconName } from '../../../ui/icons/role-icon-name.ts';

/** The icons of `role-icon.tsx` as SVG path data in a box of 24 x 24 px, to be stroked 1.75 px wide. */
export const roleIconPaths = Object.fromEntries(
  Object.entries(roleIconFiles).map(([name, file]) => [name, pathsOf(file)]),
) as unknown as Record<RoleIconName, readonly string[]>;

type Shape = readonly [tag: string, attributes: Readonly<Record<string, string>>];
/** Each icon's file exports the icon's shapes too. lucide's declarations leave them out. */
type IconFile = { __iconData: { node: readonly Shape[] } };

function pathsOf(file: object): string[] {
  return (file as IconFile).__iconData.node.map(pathOf);
}

/** Converts a shape to a path. Throws for a shape that none of these icons has. */
function pathOf([tag, attributes]: Shape): string {
  const at = (name: string) => Number(attributes[name] ?? 0);
  if (tag === 'path') return attributes.d ?? '';
  if (tag === 'line') return `M${at('x1')} ${at('y1')}L${at('x2')} ${at('y2')}`;
  if (tag === 'circle') {
    const r = at('r');
    return `M${at('cx') - r} ${at('cy')}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  }
  if (tag === 'rect') {
    const r = at('rx');
    const width = at('width') - 2 * r;
    const height = at('height') - 2 * r;
    const corner = (x: number, y: number) => `a${r} ${r} 0 0 1 ${x} ${y}`;
    return `M${at('x') + r} ${at('y')}h${width}${corner(r, r)}v${height}${corner(-r, r)}h${-width}${corner(-r, -r)}v${-height}${corner(r, -r)}z`;
  }
  throw new Error(`An icon has a shape that the canvas does not draw: ${tag}`);
}
