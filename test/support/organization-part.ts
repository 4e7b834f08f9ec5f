import {createHttpService} from '../../src/api/http/http-client.ts';
import {Secret} from '../../src/config/secret.ts';
import {openDatabase} from '../../src/db/open-database.ts';
import {systemClock} from '../../src/domain/clock.ts';
import {createOrganizationStore, type OrganizationPart} from '../../src/state/organization/organization.ts';
import {createOrganizationReader} from '../../src/sync/organization/organization-reader.ts';

/** How many items of a part were read, and what the screen says about it. */
export type ReadPart = {
	readonly count?: number;
	readonly note?: string;
	readonly problem?: {readonly what: string};
};

/** Reads one part of an organization as the screen does, and keeps it in `file`. */
export async function readPart(url: string, part: OrganizationPart, file: string): Promise<ReadPart> {
	const address = {baseUrl: url, appUrl: url, key: new Secret('k-0123456789')};
	const service = createHttpService({address, retries: 0});
	const database = openDatabase({file});
	const store = createOrganizationStore();
	const reader = createOrganizationReader({
		service,
		analytics: database.analytics,
		store,
		clock: systemClock,
	});
	const {promise, resolve} = Promise.withResolvers<ReadPart>();
	store.subscribe(state => {
		const {data, progress, note, problem} = state[part];
		if (progress) return;
		const people = data && 'people' in data ? data.people.people : undefined;
		const count = Array.isArray(data) ? data.length : people?.length;
		resolve(JSON.parse(JSON.stringify({count, note, problem})));
	});
	// The first days there are: nothing is read beyond them.
	reader.read(part, {startDate: '2026-01-14', endDate: '2026-01-16'}, true);
	const read = await promise;
	await service.close();
	database.close();
	return read;
}
