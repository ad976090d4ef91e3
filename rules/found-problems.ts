import type { ValidationProblem } from './checked-document.ts';

type Place = Pick<ValidationProblem, 'nodeId' | 'connectionId'>;

/** Problems by the node or link they are about. */
export class FoundProblems {
  readonly errors = new Map<string, ValidationProblem[]>();
  readonly warnings = new Map<string, ValidationProblem[]>();

  forget(key: string): void {
    this.errors.delete(key);
    this.warnings.delete(key);
  }

  add(about: Place, severity: ValidationProblem['severity'], code: string, params?: Record<string, string>): void {
    const part = severity === 'error' ? this.errors : this.warnings;
    const key = about.nodeId ?? about.connectionId ?? '';
    const problem = { severity, code, ...(params && { params }), ...about };
    const own = part.get(key);
    if (own) own.push(problem);
    else part.set(key, [problem]);
  }
}
