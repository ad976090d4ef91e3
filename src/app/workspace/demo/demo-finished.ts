/** The last line of the demonstration, which leads to the landing page. W4.16 */
export const demoFinished = 'demo.finished';
