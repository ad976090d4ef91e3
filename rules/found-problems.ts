import type { ValidationProblem } from './checked-document.ts';

/** Problems by the node or link they are about. */
export class FoundProblems {
  readonly errors = new Map<string, ValidationProblem[]>();
  readonly warnings = new Map<string, ValidationProblem[]>();

  put(key: string, problems: readonly ValidationProblem[]): void {
    for (const [severity, part] of [['error', this.errors] as const, ['warning', this.warnings] as const]) {
      const own = problems.filter((problem) => problem.severity === severity);
      if (own.length > 0) part.set(key, own);
      else part.delete(key);
    }
  }
}
