/** How long keys wait, in ms: a key that was meant for what the screen showed before must not answer. */
export const keyWait = 500;
