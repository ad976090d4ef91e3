import type { ConnectionModel } from '../../../contract/model-connection.ts';

/** A model as its server lists it. */
export type ListedModel = Pick<ConnectionModel, 'id' | 'context' | 'tools' | 'sees' | 'price'>;

/** The models of a server, and how many more it lists. */
export type ModelList = { models: ListedModel[]; leftOut: number };
