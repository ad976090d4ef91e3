import { Component, type ComponentType, type FunctionComponent, lazy, type ReactNode, useEffect, useState } from 'react';
import { checkVersion } from '../new-version.ts';
import { importPart, PartLoadError } from './import-part.ts';
import { PartNotLoaded } from './part-not-loaded.tsx';

export type NotLoadedProps<Props = object> = {
  /** Loads the part again, and shows it here when it is loaded. */
  retry: () => Promise<void>;
  isRetrying: boolean;
  /** The props of the part. */
  part: Props;
};

type LazyPart<Props> = ComponentType<Props> & {
  /** Loads the part before it is rendered. Rejects with a `PartLoadError`. */
  load: () => Promise<ComponentType<Props>>;
};

/**
 * A part of the page with a script of its own, loaded with retries. After a failure `NotLoaded` is shown in its place and the rest of the
 * page stays. It is loaded again on request or at the browser's `online` event. A part that is loaded renders at once; any other suspends.
 */
export function lazyPart<Props extends object>(
  fetched: () => Promise<ComponentType<Props>>,
  NotLoaded: FunctionComponent<NotLoadedProps<Props>> = PartNotLoaded,
): LazyPart<Props> {
  let arrived: ComponentType<Props> | null = null;
  const load = async (): Promise<ComponentType<Props>> => {
    arrived ??= await importPart(fetched);
    return arrived;
  };
  const suspended = () => lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>;
  let pending = suspended();

  function Part(props: Props) {
    // The same component while it is shown: a new one would lose its state.
    const [Chosen, choose] = useState(() => arrived ?? pending);
    // A failed part is loaded again when it is next shown.
    useEffect(
      () => () => {
        if (!arrived) pending = suspended();
      },
      [],
    );
    const mend = async () => {
      const component = await load();
      choose(() => component);
    };
    return (
      <PartBoundary NotLoaded={NotLoaded as ComponentType<NotLoadedProps>} part={props} mend={mend}>
        <Chosen {...props} />
      </PartBoundary>
    );
  }
  return Object.assign(Part, { load: () => load() });
}

type BoundaryProps = { NotLoaded: ComponentType<NotLoadedProps>; part: object; mend: () => Promise<void>; children: ReactNode };
type BoundaryState = { problem: unknown; isRetrying: boolean };

/** Prevents a failed part from unmounting the rest of the page. Other errors go to the page's own boundary. */
class PartBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { problem: null, isRetrying: false };
  private isGone = false;

  static getDerivedStateFromError(problem: unknown): BoundaryState {
    return { problem, isRetrying: false };
  }

  override componentDidMount(): void {
    this.isGone = false;
  }

  override componentDidCatch(problem: unknown): void {
    // The part may belong to an older build, which the server no longer has.
    if (problem instanceof PartLoadError) void checkVersion();
  }

  override componentWillUnmount(): void {
    this.isGone = true;
  }

  private readonly retry = async (): Promise<void> => {
    const { problem, isRetrying } = this.state;
    if (!(problem instanceof PartLoadError) || isRetrying) return;
    this.setState({ isRetrying: true });
    try {
      // The failure may be in the texts of a loaded part.
      await problem.retry();
      if (!this.isGone) await this.props.mend();
    } catch (next) {
      if (!this.isGone) this.setState({ problem: next, isRetrying: false });
      return;
    }
    if (!this.isGone) this.setState({ problem: null, isRetrying: false });
  };

  override render(): ReactNode {
    const { problem, isRetrying } = this.state;
    if (problem === null) return this.props.children;
    if (!(problem instanceof PartLoadError)) throw problem;
    const { NotLoaded, part } = this.props;
    return <NotLoaded retry={this.retry} isRetrying={isRetrying} part={part} />;
  }
}
