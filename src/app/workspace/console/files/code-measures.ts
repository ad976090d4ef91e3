/** The height of a line of code (CSS px). */
export const lineHeight = 22;

/** The shown part of a line of a difference (characters): browsers are slow with longer ones. */
export const maxLineLength = 2_000;
