import {z} from 'zod';
import {pageLimit} from '../domain/limits.ts';
import {nonEmptyText, wholeNumber} from './request-schemas.ts';

/** Query of every v0 list. The contract has `limit` as a string. */
export const pageQuery = z.strictObject({
	limit: wholeNumber(pageLimit).optional(),
	cursor: nonEmptyText.optional(),
});
