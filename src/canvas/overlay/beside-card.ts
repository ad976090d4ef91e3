/** Where a popup of a card lies when its side has no room: over the card, as on a phone. */
export const besideCard = { side: 'shift', align: 'shift' } as const;
