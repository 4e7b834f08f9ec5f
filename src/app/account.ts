import type {Doubt} from '../accounts.ts';
import {notify} from '../actions/notify.ts';
import {analyticsOrganization} from '../db/analytics.ts';
import type {Database, Machine} from '../db/database.ts';
import {unlessStorageFails} from '../db/file/storage-error.ts';
import {type Account, accountName, type KeptInput, unclearFrom} from '../domain/accounts/account.ts';
import type {Stores} from '../state/stores.ts';
import {askOnceIdle} from '../state/view/view.ts';
import {strings as uiStrings} from '../ui/strings.ts';
import type {Parts} from '../ui/use-app.ts';
import {strings} from './strings.ts';

const text = strings.account;

/** How long notices about stored data stay, ms. */
export const noticeTime = 60_000;

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

/**
 * Reports that the key may belong to another account, and asks the user if they can know. Once a service answers that
 * didn't, asks whether to find the account now.
 */
export function reportDoubt(
	{stores, view, actions, profile}: Parts<'stores' | 'view' | 'actions' | 'profile'>,
	account: Account,
	doubt: Doubt,
): void {
	if (doubt.why === 'refused') return;
	if (doubt.why !== 'no-answer') {
		if (doubt.why === 'no-evidence')
			stores.connection.setState({unclearAccount: {own: account.id, other: accountName(doubt.other)}});
		askOnceIdle(view, joinQuestion(account, doubt));
		return;
	}
	const isCurrent = () => stores.connection.getState().okAt === undefined;
	notify(actions, 'bad', text.unanswered, {isCurrent});
	const stop = stores.connection.subscribe(() => {
		if (isCurrent()) return;
		stop();
		const intent = {name: 'open-profile', profile: profile.name} as const;
		askOnceIdle(view, {title: text.answersTitle, text: text.answers, intent});
	});
}

/** Ends the banner about an unclear key once another program has settled whose it is. */
export function endSettledDoubt({accounts}: Machine, {connection}: Pick<Stores, 'connection'>): void {
	const {unclearAccount} = connection.getState();
	if (!unclearAccount) return;
	const isSettled = unlessStorageFails(() => {
		const own = accounts.get(unclearAccount.own);
		return !own || !unclearFrom(own, accounts.get);
	});
	if (isSettled) connection.setState({unclearAccount: undefined});
}

/** Reports that the profile's new key belongs to another account than the one that was open until now. */
export function reportOtherAccount(
	{actions}: Parts<'actions'>,
	{account, ...kept}: KeptInput & {readonly account: Account},
): void {
	// Covered at first by the notice that the profile is open.
	const end = {until: actions.clock.now() + noticeTime, isCurrent: () => true};
	const where = text.previous(account.id);
	const what = kept.unsent + kept.drafts === 0 ? text.left(where) : uiStrings.kept(kept, where);
	notify(actions, 'bad', what, end);
}

/** The dialog that asks whether a new key belongs to a known account. */
function joinQuestion(account: Account, {other, why}: Doubt) {
	const name = accountName(other);
	const reason = why === 'other' ? text.hidden(name) : text.unclear(name);
	return {
		title: text.joinTitle,
		text: text.join(reason, account.id, other.id),
		intent: {name: 'join-accounts', into: other.id, from: account.id} as const,
	};
}
