/** The workspace lays itself out for a phone at this width or less, CSS px. W2.04 */
export const mobileMaxWidth = 1_024;

export const mobileQuery = `(max-width: ${mobileMaxWidth}px)`;
