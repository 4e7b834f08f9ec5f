/** How long a new question ignores keys, ms: a key meant for the previous screen must not answer it. */
export const keyWait = 500;

/** How long a key that answers is watched, ms: a held one repeats before, and doesn't count. */
export const heldWait = 200;
