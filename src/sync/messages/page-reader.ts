import {RejectedError} from '../../api/errors.ts';
import {routeOf} from '../../domain/known.ts';
import type {ReadPage} from '../core/read-list.ts';
import type {RequestOptions} from '../core/scheduler.ts';
import type {EngineParts} from '../engine-parts.ts';

/** Returns a function that reads pages of a session's messages from its computer, when it is their turn. */
export function createPageReader(
	{scheduler, service, registry}: Pick<EngineParts, 'scheduler' | 'service' | 'registry'>,
	sessionId: string,
	options: RequestOptions & {
		/** Called with the number of items on a page that could not be read. */
		readonly onSkipped?: (count: number) => void;
	},
): ReadPage {
	const readPage: ReadPage = async query => {
		const page = await scheduler.request(
			`session:${sessionId}`,
			signal => service.messages.list(sessionId, query, {signal}),
			options,
		);
		if (page.skipped > 0) options.onSkipped?.(page.skipped);
		return page;
	};
	return query => atComputer(readPage, routeOf(registry.session(sessionId)))(query);
}

/** Asks this computer for pages. Their cursors are good for it alone: any other is rejected without a request. */
export function atComputer(read: ReadPage, computerId: string | undefined): ReadPage {
	const mark = `${computerId ?? ''}|`;
	return async ({cursor, ...query}) => {
		if (cursor !== undefined && !cursor.startsWith(mark))
			throw new RejectedError('The cursor is for another computer.', {hint: 'Start over.', status: 400});
		const page = await read({
			...query,
			...(computerId !== undefined && {computerId}),
			...(cursor !== undefined && {cursor: cursor.slice(mark.length)}),
		});
		return {...page, ...(page.nextCursor !== undefined && {nextCursor: mark + page.nextCursor})};
	};
}
