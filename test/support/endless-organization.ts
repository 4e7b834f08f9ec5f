import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {onTestFinished} from 'vitest';
import {type Reply, startFaultServer} from './fault-server.ts';
import {temporaryFolder} from './local-service.ts';
import {json} from './replies.ts';

const program = join(import.meta.dirname, 'organization-program.ts');
/** MB. What a process of this size has with nothing read is about 110. */
export const maxRss = 600;

type Outcome = {count?: number; note?: string; problem?: {what: string}; rssMb: number};

/** Reads a part of an organization whose service answers so, in a process of its own. */
export async function readFrom(reply: Reply, part: string): Promise<Outcome & {readonly requests: number}> {
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	server.otherwise(reply);
	const args = [program, server.url, part, join(temporaryFolder(), 'kept.db')];
	const {stdout} = await promisify(execFile)(process.execPath, args);
	return {...(JSON.parse(stdout) as Outcome), requests: server.requests.length};
}

export const numbers = (from: number, count: number) =>
	Array.from({length: count}, (_, index) => from + index);

/** A v0 list that never ends: page by page new items. */
export const endless =
	(name: string, itemOf: (number: number) => object): Reply =>
	(response, request) => {
		const from = Number(request.query.cursor ?? 0);
		const items = numbers(from, 100).map(itemOf);
		json({[name]: items, pagination: {hasMore: true, nextCursor: String(from + 100)}})(response, request);
	};
