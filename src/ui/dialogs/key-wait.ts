/** How long a new question ignores keys, ms: a key meant for the previous screen must not answer it. */
export const keyWait = 500;
