/**
 * How Node keeps the server's memory, wherever it is started (`npm start` and the image name the same). By itself Node 24 keeps 130 MB for
 * young objects on a machine with much memory, and collects garbage late. With these options, five thousand followed runs take 580 MB in
 * place of 680. docs/decisions/what-the-server-bears.md names the cost.
 */
export const serverNodeOptions = ['--max-semi-space-size=16', '--heap-growing-percent=60'];
