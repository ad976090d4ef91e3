import type { ValidationProblem } from './checked-document.ts';

/** Problems by the node or link they are about. */
export class FoundProblems {
  readonly errors = new Map<string, ValidationProblem[]>();
  readonly warnings = new Map<string, ValidationProblem[]>();

  forget(key: string): void {
    this.errors.delete(key);
    this.warnings.delete(key);
  }

  add(key: string, problem: ValidationProblem): void {
    const part = problem.severity === 'error' ? this.errors : this.warnings;
    const own = part.get(key);
    if (own) own.push(problem);
    else part.set(key, [problem]);
  }
}
