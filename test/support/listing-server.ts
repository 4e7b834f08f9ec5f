import {onTestFinished} from 'vitest';
import {RejectedError} from '../../src/api/errors.ts';
import type {MessageRole} from '../../src/domain/messages/message.ts';
import {startFaultServer} from './fault-server.ts';
import type {ListingModel} from './listing-model.ts';
import {json} from './replies.ts';

/** A real HTTP server with the messages of a model; it ends with the test. Returns its URL. */
export async function serveListing({service}: ListingModel): Promise<string> {
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	server.otherwise(async (response, request) => {
		const {path, query} = request;
		const {limit, cursor, role} = query;
		const id = decodeURIComponent(path.split('/').at(-2) ?? '');
		try {
			const page = await service.messages.list(id, {
				...(limit && {limit: Number(limit)}),
				...(cursor && {cursor}),
				...(role && {role: role as MessageRole}),
			});
			const {items: messages, hasMore, nextCursor = null} = page;
			await json({messages, pagination: {hasMore, nextCursor}})(response, request);
		} catch (error) {
			if (!(error instanceof RejectedError)) throw error;
			await json({message: error.message}, 400)(response, request);
		}
	});
	return server.url;
}
