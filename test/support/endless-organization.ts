import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {onTestFinished} from 'vitest';
import type {OrganizationPart} from '../../src/state/organization/organization.ts';
import {type Reply, startFaultServer} from './fault-server.ts';
import {temporaryFolder} from './local-service.ts';
import {type ReadPart, readPart} from './organization-part.ts';
import {json} from './replies.ts';

const program = join(import.meta.dirname, 'organization-program.ts');
/** MB. What a process of this size has with nothing read is about 110. */
export const maxRss = 600;

/** Reads a part of an organization whose service answers so. */
export async function readFrom(
	reply: Reply,
	part: OrganizationPart,
	read: (url: string, part: OrganizationPart, file: string) => Promise<ReadPart> = readPart,
): Promise<ReadPart & {readonly requests: number}> {
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	server.otherwise(reply);
	const outcome = await read(server.url, part, join(temporaryFolder(), 'kept.db'));
	return {...outcome, requests: server.requests.length};
}

/** The same in a process of its own, and how large that grew. */
export async function readElsewhere(reply: Reply, part: OrganizationPart) {
	let rssMb = 0;
	const read = await readFrom(reply, part, async (...args) => {
		const {stdout} = await promisify(execFile)(process.execPath, [program, ...args]);
		const outcome: ReadPart & {readonly rssMb: number} = JSON.parse(stdout);
		({rssMb} = outcome);
		return outcome;
	});
	return {...read, rssMb};
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
