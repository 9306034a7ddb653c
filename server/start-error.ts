/** The message tells the operator why the site cannot start, and what to do. */
export class StartError extends Error {}
