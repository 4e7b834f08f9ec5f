import {expect} from 'vitest';

/** Matches the options of a request with these words. */
export const optionsNamed = (...words: readonly string[]) =>
	words.map(word => expect.objectContaining({word}));
