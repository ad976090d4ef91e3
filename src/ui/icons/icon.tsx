import type { ComponentType, SVGProps } from 'react';

/** One stroke of a picture: the data of a path, or another shape of SVG and where it lies. */
export type Stroke =
  | string
  | readonly [shape: 'circle' | 'ellipse' | 'line' | 'path' | 'polygon' | 'polyline' | 'rect', at: Readonly<Record<string, string>>];

/** `size` in px, 24 without; `strokeWidth` in the picture's own box of 24 x 24, 2 without. */
export type IconProps = Omit<SVGProps<SVGSVGElement>, 'ref'> & { size?: number };
export type IconComponent = ComponentType<IconProps>;

/** Makes a component of a picture, in the colour of the text around it. Decorative: what it stands for is said beside it or by its button. */
export function icon(...strokes: readonly Stroke[]): IconComponent {
  return function Icon({ size = 24, ...props }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        {...props}
        aria-hidden
      >
        {strokes.map((stroke) => {
          const [Shape, at] = typeof stroke === 'string' ? (['path', { d: stroke }] as const) : stroke;
          return <Shape key={Object.values(at).join()} {...at} />;
        })}
      </svg>
    );
  };
}
