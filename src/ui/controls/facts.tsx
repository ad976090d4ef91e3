import type { ComponentProps, ReactNode } from 'react';

/** A name with its value. One without a value is left out. */
export type Fact = readonly [name: string, value: ReactNode];

/** Facts as a description list. `children`: further rows. */
export function Facts({ facts, children, ...rest }: ComponentProps<'dl'> & { facts: readonly Fact[] }) {
  return (
    <dl {...rest}>
      {facts
        .filter(([, value]) => value != null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      {children}
    </dl>
  );
}
