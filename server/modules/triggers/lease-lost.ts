import { ApiError } from '../../http/api-error.ts';

/** Thrown in a transaction whose event another process has: nothing of it is stored. */
export class LeaseLost extends ApiError {
  constructor() {
    super('conflict');
  }
}
