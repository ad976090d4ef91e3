import { type ComponentType, createElement, lazy, useState } from 'react';

/**
 * A page that comes with a chunk of its own. One that `load` has brought is drawn at once, any other suspends until it is here: what
 * follows a fallback that was shown React holds back for 300 ms.
 */
export function arrivingPage<Props extends object>(fetched: () => Promise<ComponentType<Props>>) {
  let arrived: ComponentType<Props> | null = null;
  const load = async (): Promise<ComponentType<Props>> => {
    arrived = await fetched();
    return arrived;
  };
  const Later = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>;
  function Page(props: Props) {
    // The same one as long as it is shown: another would begin anew.
    const [Chosen] = useState(() => arrived ?? Later);
    return createElement(Chosen, props);
  }
  return { load, Page };
}
