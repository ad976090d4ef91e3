/** The maximum width of the phone layout of the workspace (CSS px). W2.04 */
export const mobileMaxWidth = 1_024;

export const mobileQuery = `(max-width: ${mobileMaxWidth}px)`;
