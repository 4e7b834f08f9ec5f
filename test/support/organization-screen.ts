import {onTestFinished} from 'vitest';
import {createHttpService} from '../../src/api/http/http-client.ts';
import {Secret} from '../../src/config/secret.ts';
import {memoryAnalytics} from '../../src/db/analytics.ts';
import {systemClock} from '../../src/domain/clock.ts';
import {addDays, utcDayOf} from '../../src/domain/time.ts';
import type {Display} from '../../src/state/view/display.ts';
import {createOrganizationReader} from '../../src/sync/organization/organization-reader.ts';
import type {AppParts} from '../../src/ui/use-app.ts';
import {appParts} from './app-parts.ts';
import {type FaultServer, type Reply, startFaultServer} from './fault-server.ts';
import {has, openScreen, type Screen} from './screen.tsx';

export const yesterday = addDays(utcDayOf(Date.now()), -1);

export type OrganizationScreen = {
	readonly server: FaultServer;
	readonly parts: AppParts;
	readonly screen: Screen;
	/** What reached the clipboard. */
	readonly copied: readonly string[];
};

export type OrganizationScreenOptions = {
	readonly columns?: number;
	readonly rows?: number;
	readonly display?: Partial<Display>;
};

/** The screen at a view of the organization, by its key, over a service that answers so. It closes with the test. */
export async function openOrganization(
	key: string,
	reply: Reply,
	{columns = 120, rows = 40, display = {}}: OrganizationScreenOptions = {},
): Promise<OrganizationScreen> {
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	server.otherwise(reply);
	const address = {baseUrl: server.url, appUrl: server.url, key: new Secret('k-0123456789')};
	const service = createHttpService({address, retries: 0});
	onTestFinished(() => service.close());
	const copied: string[] = [];
	const parts = appParts(systemClock, {service});
	const {organization: store} = parts.stores;
	Object.assign(parts.actions, {
		organization: createOrganizationReader({
			service,
			analytics: memoryAnalytics(),
			store,
			clock: systemClock,
		}),
		copy: async (text: string) => {
			copied.push(text);
			return 'OSC 52';
		},
	});
	parts.display.setState(display);
	const screen = openScreen(parts, columns, rows);
	await screen.until(lines => lines.join('').includes('Sessions'));
	await screen.press(key);
	return {server, parts, screen, copied};
}

/** Was what the view shows read? */
export const isRead = has(/read \d+s ago/);
