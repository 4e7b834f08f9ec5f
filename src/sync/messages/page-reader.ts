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
	return async query => {
		const computerId = routeOf(registry.session(sessionId));
		const routed = computerId === undefined ? query : {...query, computerId};
		const page = await scheduler.request(
			`session:${sessionId}`,
			signal => service.messages.list(sessionId, routed, {signal}),
			options,
		);
		if (page.skipped > 0) options.onSkipped?.(page.skipped);
		return page;
	};
}
