/** The line with which the demonstration ends, after which a visitor goes on to the landing page. W4.16 */
export const demoFinished = 'demo.finished';
