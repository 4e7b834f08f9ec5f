import {createHttpService} from '../../src/api/http/http-service.ts';
import {Secret} from '../../src/config/secret.ts';
import {openDatabase} from '../../src/db/open-database.ts';
import {systemClock} from '../../src/domain/clock.ts';
import {createOrganizationStore, type OrganizationPart} from '../../src/state/organization/organization.ts';
import {createOrganizationReader} from '../../src/sync/organization/organization-reader.ts';

/** A process that reads one part of an organization as the screen does, and reports the result and its cost. */
const [url = '', part = '', file = ''] = process.argv.slice(2);
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
store.subscribe(async state => {
	const {data, progress, note, problem} = state[part as OrganizationPart];
	if (progress) return;
	const people = data && 'people' in data ? data.people.people : undefined;
	const count = Array.isArray(data) ? data.length : people?.length;
	const {maxRSS} = process.resourceUsage();
	process.stdout.write(`${JSON.stringify({count, note, problem, rssMb: Math.round(maxRSS / 1024)})}\n`);
	await service.close();
	database.close();
});
// The first days there are: nothing is read beyond them.
reader.read(part as OrganizationPart, {startDate: '2026-01-14', endDate: '2026-01-16'}, true);
