declare const owned: unique symbol;

/**
 * The account that records belong to. The id of a person is none: where a call is mounted it is decided for whose records it works, and rows have theirs. So a
 * service that reads or writes records of a project cannot be handed the person who calls in the place of their owner.
 */
export type OwnerId = string & { readonly [owned]: true };

/** Says that this id is the owner's: of a person who works with the own records, of a job or a message that was made from an owner's row. */
export function asOwner(id: string): OwnerId {
  return id as OwnerId;
}
