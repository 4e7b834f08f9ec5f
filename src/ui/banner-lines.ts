import {cleanLine} from '../text/cells/clean.ts';
import {type Line, span} from '../text/cells/line.ts';
import {type Safe, safe} from '../text/cells/safe.ts';
import {wrapText} from '../text/cells/wrap.ts';
import {strings} from './strings.ts';
import type {Parts} from './use-app.ts';

const words = strings.banner;

type BannerParts = Parts<'stores' | 'profile' | 'keys'>;

/** Of the screen's rows, the banner takes at most one in so many. */
const rowShare = 8;

/**
 * The banner: the service refuses the key, can't be reached since the start, or is something else; and the
 * remedy. No lines if all is well. A service that is lost later is the header's business: what is read
 * shouldn't move for an outage of a moment.
 */
export function bannerLines({stores, profile, keys}: BannerParts, width: number, screenRows: number): Line[] {
	const {isConnected, keyFrom} = profile;
	const {state, okAt, problem, refusal} = stores.connection.getState();
	if (!isConnected) return [];
	const isDown = state === 'offline' && okAt === undefined;
	const shown = state === 'unauthorized' || isDown ? problem : refusal;
	if (!shown) return [];
	const isOwnFile = state === 'unauthorized' && keyFrom === 'file';
	// A key in the environment is read at the start only.
	const canRetry = state !== 'unauthorized' || isOwnFile || keyFrom === 'command';
	const sentences = [
		cleanLine(withoutRequest(shown.what)),
		isOwnFile ? words.replaceKey(keys.label('replace-key')) : cleanLine(shown.hint ?? ''),
		...(canRetry ? [words.retry(keys.label('refresh'))] : []),
		words.profiles(keys.label('profiles')),
	];
	const whole = sentences.reduce(
		(text, one) => (one === '' ? text : safe`${text} ${sentence(one)}`),
		safe`✗`,
	);
	const most = Math.max(1, Math.floor(screenRows / rowShare));
	return wrapText(whole, width - 2, most).map(row => [span(safe` `), span(row, 'bad')]);
}

/** The text of an error without the id of its request, which diagnostics have: here, the remedy needs the room. */
export function withoutRequest(what: string): string {
	return what.replace(/ \(request [^)]*\)/, '');
}

/** Texts of errors end with a period or not. */
function sentence(text: Safe): Safe {
	return /[.!?…]$/.test(text) ? text : safe`${text}.`;
}
