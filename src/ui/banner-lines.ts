import type {ActionName} from '../keys/bindings.ts';
import {isWriting, type View} from '../state/view.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {type Line, span} from '../text/cells/line.ts';
import {type Safe, safe} from '../text/cells/safe.ts';
import {wrapText} from '../text/cells/wrap.ts';
import {strings} from './strings.ts';
import type {Parts} from './use-app.ts';

const words = strings.banner;

type BannerParts = Parts<'stores' | 'profile' | 'keys' | 'view'>;

/** The banner takes at most one in this many rows of the screen. */
const rowsPerBannerRow = 8;

/**
 * The banner: the service refuses the key, can't be reached since the start, or is something else; and the
 * remedy. Otherwise, whether the environment's address replaces the profile's; or no lines if all is well. A service
 * that is lost later is the header's business: what is read shouldn't move for an outage of a moment.
 */
export function bannerLines(
	{stores, profile, keys, view}: BannerParts,
	width: number,
	screenRows: number,
): Line[] {
	const {isConnected, keyFrom, environmentAddress} = profile;
	const {state, okAt, problem, refusal} = stores.connection.getState();
	if (!isConnected) return [];
	const isDown = state === 'offline' && okAt === undefined;
	const shown = state === 'unauthorized' || isDown ? problem : refusal;
	const own = environmentAddress?.own === undefined ? undefined : cleanLine(environmentAddress.own, 200);
	const address = words.environmentAddress(own);
	if (!shown) return own === undefined ? [] : wrapped(safe`! ${address}`, 'warn', width, screenRows);
	const isAddressNamed = environmentAddress && (state !== 'unauthorized' || own !== undefined);
	const isOwnFile = state === 'unauthorized' && keyFrom === 'file';
	// A key in the environment is read at the start only.
	const canRetry = state !== 'unauthorized' || isOwnFile || keyFrom === 'command';
	const wayOut = wayOutOf(view.getState());
	// What a dialog covers takes no keys, and a form for a new key is the remedy itself.
	const hasDialog = view.getState().dialogs.length > 0;
	const remedies = [
		...(isOwnFile ? [words.replaceKey(keys.label('replace-key'))] : []),
		...(canRetry ? [words.retry(keys.label('refresh'))] : []),
		words.profiles(keys.label('profiles')),
	];
	const pressing = (hasDialog ? [] : remedies).map((text, index) =>
		wayOut && index === 0 ? words.after(keys.label(wayOut), text) : text,
	);
	const hint = isOwnFile ? safe`` : cleanLine(shown.hint ?? '');
	const named = isAddressNamed ? [address] : [];
	const sentences = [cleanLine(withoutRequest(shown.what)), hint, ...named, ...pressing];
	const whole = sentences.reduce(
		(text, one) => (one === '' ? text : safe`${text} ${sentence(one)}`),
		safe`✗`,
	);
	return wrapped(whole, 'bad', width, screenRows);
}

function wrapped(text: Safe, tone: 'bad' | 'warn', width: number, screenRows: number): Line[] {
	const maxRows = Math.max(1, Math.floor(screenRows / rowsPerBannerRow));
	return wrapText(text, width - 2, maxRows).map(row => [span(safe` `), span(row, tone)]);
}

/** The key to press before those that the banner names, where they would type text or do nothing. */
function wayOutOf(view: View): ActionName | undefined {
	if (isWriting(view)) return 'leave';
	if (view.isFiltering) return 'clear-filter';
	return view.find?.isTyping ? 'clear-find' : undefined;
}

/** The text of an error without the id of its request, which diagnostics have: here, the remedy needs the room. */
export function withoutRequest(what: string): string {
	return what.replace(/ \(request [^)]*\)/, '');
}

/** Texts of errors end with a period or not. */
function sentence(text: Safe): Safe {
	return /[.!?…]$/.test(text) ? text : safe`${text}.`;
}
