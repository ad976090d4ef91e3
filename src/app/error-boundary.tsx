import { Component, type ErrorInfo, type ReactNode } from 'react';
import { PartLoadError } from '../ui/loading/import-part.ts';
import { removeStillImage } from './routes/demo-still.ts';
import { ErrorPage } from './routes/notices/error-page.tsx';

type State = { fault: { message: string; stack: string; isLoadError: boolean } | null };

/** Shows the error page instead of a page that failed to render. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { fault: null };

  static getDerivedStateFromError(problem: unknown): State {
    const message = problem instanceof Error ? `${problem.name}: ${problem.message}` : String(problem);
    const stack = problem instanceof Error ? (problem.stack ?? '') : '';
    return { fault: { message, stack, isLoadError: problem instanceof PartLoadError } };
  }

  override componentDidCatch(problem: unknown, info: ErrorInfo): void {
    removeStillImage();
    reportError(problem instanceof Error ? problem : new Error(String(problem), { cause: info.componentStack }));
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (!fault) return this.props.children;
    return <ErrorPage details={`${fault.message}\n${fault.stack}`} isLoadError={fault.isLoadError} />;
  }
}
