import { Component, type ComponentType, type FunctionComponent, lazy, type ReactNode, useEffect, useState } from 'react';
import { checkVersion } from '../new-version.ts';
import { importPart, PartLoadError } from './import-part.ts';
import { PartNotLoaded } from './part-not-loaded.tsx';

export type NotLoadedProps<Props = object> = {
  /** Asks for the part again, and shows it in the place of this when it arrives. */
  retry: () => Promise<void>;
  isRetrying: boolean;
  /** What the part was to be drawn with. */
  part: Props;
};

export type LazyPart<Props> = ComponentType<Props> & {
  /** Fetches the part ahead of its being drawn. Rejects with a `PartLoadError`. */
  load: () => Promise<ComponentType<Props>>;
};

/**
 * A part of the page with a script of its own: the one way to have one. It is asked for three times; then `NotLoaded` stands in its
 * place, the rest of the page stays, and nothing is asked for until a person or the browser's `online` event wants it. A part that is
 * there already is drawn at once; any other suspends.
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
    // The same one as long as it is shown: another would begin anew.
    const [Chosen, choose] = useState(() => arrived ?? pending);
    // A part that failed is asked for anew where it is next shown.
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

/** Keeps what did not arrive from taking the rest of the page with it. Any other fault goes on to the page's own boundary. */
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
    // It may be an older page's, which the server has no longer.
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
      // What failed may be the texts of a part whose script is there.
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
