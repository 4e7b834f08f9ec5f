import {analyticsOrganization} from '../db/analytics.ts';
import type {Database} from '../db/database.ts';
import {unlessStorageFails} from '../db/file/storage-error.ts';
import type {Account} from '../domain/accounts/account.ts';
import type {Stores} from '../state/stores.ts';

/** The organization's name, from the token or the analytics; reread whenever new usage data arrives. */
export function watchOrganizationName(
	{kind, organization}: Account,
	{settings}: Database,
	{organization: store}: Stores,
) {
	const read = () => {
		// The embedded service has no organization.
		if (kind === 'local') return undefined;
		const analyticsName = unlessStorageFails(() => settings.get(analyticsOrganization));
		return organization ?? (typeof analyticsName === 'string' ? analyticsName : undefined);
	};
	let name = read();
	const stop = store.subscribe((now, before) => {
		if (now.usage.readAt !== before.usage.readAt) name = read();
	});
	return {get: () => name, stop};
}
