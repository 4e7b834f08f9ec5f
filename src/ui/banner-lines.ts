import type {Connection, ConnectionState} from '../state/connection.ts';
import type {Problem} from '../state/fleet.ts';
import type {HookHint} from '../state/hook-setup.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {type Line, span} from '../text/cells/line.ts';
import {joinSafe, type Safe, safe} from '../text/cells/safe.ts';
import {wrapText} from '../text/cells/wrap.ts';
import {strings} from './strings.ts';
import type {AppParts} from './use-app.ts';
import {wayOutKey} from './way-out.ts';

const words = strings.banner;

type BannerParts = AppParts;

/** The banner takes at most one in this many rows of the screen. */
const rowsPerBannerRow = 8;

/** The banner: the service refuses the key, can't be reached, fails or is something else; and the remedy. */
export function bannerLines(
	{stores, profile, keys, view, hooks}: BannerParts,
	width: number,
	screenRows: number,
): Line[] {
	const {isConnected, environmentAddress} = profile;
	const connection = stores.connection.getState();
	if (!isConnected) return [];
	const {state, outage} = connection;
	const shown = bannerProblem(connection);
	const own = environmentAddress?.own === undefined ? undefined : cleanLine(environmentAddress.own, 200);
	const address =
		own === undefined
			? safe`Address from QUARTERDECK_BASE_URL.`
			: safe`Address from QUARTERDECK_BASE_URL; the profile has ${own}.`;
	const maxRows = Math.max(1, Math.floor(screenRows / rowsPerBannerRow));
	const hookProblem = hookProblemText(hooks.hint.getState(), keys);
	if (!shown && hookProblem) return wrapped(safe`! ${hookProblem}`, 'warn', width, maxRows);
	if (!shown) return own === undefined ? [] : wrapped(safe`! ${address}`, 'warn', width, maxRows);
	const isAddressNamed = environmentAddress && (state !== 'unauthorized' || own !== undefined);
	const isOwnFile = state === 'unauthorized' && profile.keyFrom === 'file';
	const isRetried = state === 'offline' || shown === outage;
	const hint = isOwnFile ? safe`` : cleanLine(shown.hint ?? '');
	const remedies = remedyTexts({profile, keys, view}, state, isRetried);
	const text = (advice: Safe) =>
		[
			cleanLine(withoutRequest(shown.what)),
			advice,
			...(isAddressNamed ? [address] : []),
			...(isRetried ? [safe`Quarterdeck keeps trying.`] : []),
			...remedies,
		].reduce((text, one) => (one === '' ? text : safe`${text} ${sentence(one)}`), safe`✗`);
	// The keys are more useful than advice on what used to work.
	const isCut = wrapped(text(hint), 'bad', width, maxRows + 1).length > maxRows;
	return wrapped(text(isCut && isRetried ? safe`` : hint), 'bad', width, maxRows);
}

/** Why installed hooks report nothing, and the remedy; undefined if they seem to work. */
export function hookProblemText({problem}: HookHint, {label}: BannerParts['keys']): Safe | undefined {
	if (!problem) return undefined;
	const remedy = problem.isInSettings ? safe`Remove them` : safe`${label('hooks')} installs them again`;
	return safe`${sentence(cleanLine(problem.what, 400))} ${sentence(remedy)}`;
}

/** Which keys help; none under a dialog, which may be the remedy itself. */
function remedyTexts(
	{
		profile: {keyFrom, keyFile, host, environmentAddress},
		keys,
		view: viewStore,
	}: Pick<BannerParts, 'profile' | 'keys' | 'view'>,
	state: ConnectionState,
	isRetried: boolean,
): readonly Safe[] {
	const view = viewStore.getState();
	if (view.dialogs.length > 0) return [];
	const wayOut = wayOutKey(view, keys);
	const isOwnFile = state === 'unauthorized' && keyFrom === 'file';
	// A key in the environment is read at the start only.
	const canRetry = state !== 'unauthorized' || isOwnFile || keyFrom === 'command';
	// The environment's address can't be changed here.
	const hasOwnAddress = host !== undefined && environmentAddress === undefined;
	const profiles = isRetried && hasOwnAddress ? words.otherAddress : words.profiles;
	const refresh = keys.label('refresh');
	const replace = isOwnFile ? [safe`${keys.label('replace-key')} replaces it`] : [];
	const remedies = [
		// A program may have written a new key there.
		...(isOwnFile && keyFile !== undefined
			? [safe`${refresh} reads ${cleanLine(keyFile, 80)} again`, ...replace]
			: [...replace, ...(canRetry ? [safe`${refresh} tries again now`] : [])]),
		profiles(keys.label('profiles')),
	];
	if (wayOut === undefined) return remedies;
	return [safe`After ${wayOut}: ${joinSafe(remedies, safe`, `)}`];
}

/** What the banner is about, if anything. */
export function bannerProblem({state, okAt, problem, refusal, outage}: Connection): Problem | undefined {
	const isUnknown = state === 'offline' && okAt === undefined;
	return state === 'unauthorized' || isUnknown ? problem : (refusal ?? outage);
}

function wrapped(text: Safe, tone: 'bad' | 'warn', width: number, maxRows: number): Line[] {
	return wrapText(text, width - 2, maxRows).map(row => [span(safe` `), span(row, tone)]);
}

/** The text of an error without the id of its request, which diagnostics have: here, the remedy needs the room. */
export function withoutRequest(what: string): string {
	return what.replace(/ \(request [^)]*\)/, '');
}

/** Texts of errors end with a period or not. */
function sentence(text: Safe): Safe {
	return /[.!?…]$/.test(text) ? text : safe`${text}.`;
}
