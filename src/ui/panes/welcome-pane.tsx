import {useStore} from 'zustand';
import type {KeyMap} from '../../keys/key-map.ts';
import type {Problem} from '../../state/fleet.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {Pane} from '../kit/pane.tsx';
import type {Rect} from '../layout.ts';
import {useApp} from '../use-app.ts';

/** Maximum text width, in columns; longer lines are hard to read. */
const widest = 72;
const keyWidth = 8;

/** The first-run screen, at most `width` columns wide: what the app is, and the two ways to start. */
function firstScreen(width: number, keys: KeyMap): Line[] {
	const columns = Math.min(widest, width);
	const indent = span(pad(safe``, Math.floor((width - columns) / 2)));
	const paragraph = (text: Safe, tone?: 'dim'): Line[] =>
		wrapText(text, columns).map(row => [span(row, tone)]);
	const choice = (key: Safe, words: Safe): Line[] =>
		wrapText(words, Math.max(8, columns - keyWidth)).map((row, index) => [
			span(pad(index === 0 ? key : safe``, keyWidth), 'accent', {bold: true}),
			span(row),
		]);
	const lines: Line[] = [
		...paragraph(safe`See which sessions need you, what each is doing, and whether its machine is up.`),
		[],
		[span(safe`Connect`, 'heading')],
		...choice(keys.label('connect'), safe`to a hosted service, with its address and a key`),
		[],
		[span(safe`Work locally`, 'heading')],
		...choice(keys.label('work-locally'), safe`on this machine, without an account`),
		[],
		...paragraph(
			safe`Create keys in the web app's key settings. Scripts and containers can set QUARTERDECK_BASE_URL and QUARTERDECK_API_KEY instead.`,
			'dim',
		),
	];
	return lines.map(line => (line.length === 0 ? line : [indent, ...line]));
}

/** The main area when nothing is open: the first-run screen, or the next key to press. */
export function WelcomePane(props: {
	readonly rect: Rect;
	readonly isFocused: boolean;
	readonly isConnected: boolean;
	readonly hasRows: boolean;
}) {
	const {rect, isFocused, isConnected, hasRows} = props;
	const {stores, keys, checking} = useApp();
	const problem = useStore(stores.connection, state => state.problem);
	const width = rect.width - 8;
	const lines = isConnected
		? [...problemLines(problem, width), ...nextKey(hasRows, keys)]
		: checking === undefined
			? firstScreen(width, keys)
			: checkingLines(checking, width);
	const top = Math.max(1, Math.min(4, Math.floor((rect.height - 2 - lines.length) / 3)));
	const title = isConnected || checking !== undefined ? safe`Work` : safe`Welcome to quarterdeck`;
	return (
		<Pane
			rect={rect}
			title={[span(title, isFocused || !isConnected ? 'heading' : 'strong')]}
			isFocused={isFocused}
			body={[
				...Array.from({length: top}, () => ({line: []})),
				...lines.map(line => ({line: [span(safe`   `), ...line]})),
			]}
		/>
	);
}

/** Why the service can't be reached, in full: the header and footer have no room for it. */
function problemLines(problem: Problem | undefined, width: number): Line[] {
	if (!problem) return [];
	const hint = problem.hint === undefined ? [] : wrapText(cleanLine(problem.hint), width);
	return [
		...wrapText(safe`✗ ${cleanLine(problem.what)}`, width).map(row => [span(row, 'bad')]),
		...hint.map(row => [span(row, 'dim')]),
		[],
	];
}

/** The key is new on this machine: nothing is shown until its account is known. */
function checkingLines(host: string, width: number): Line[] {
	const words = safe`Nothing stored here is shown or sent until that is known.`;
	return [
		[span(safe`Checking which account this key belongs to…`, 'strong')],
		[],
		...wrapText(safe`It is new on this machine for ${cleanLine(host, 80)}.`, width).map(row => [span(row)]),
		...wrapText(words, width).map(row => [span(row, 'dim')]),
	];
}

function nextKey(hasRows: boolean, keys: KeyMap): Line[] {
	if (hasRows)
		return [
			keyLine(keys.label('open'), safe`opens the selected item`),
			keyLine(
				safe`${keys.label('down')} ${keys.label('up')}`,
				safe`move, ${keys.label('next-pane')} goes to the next pane`,
			),
			keyLine(keys.label('new-session'), safe`opens a new session`),
			keyLine(keys.label('help'), safe`shows every key`),
		];
	return [
		[span(safe`Nothing here yet.`, 'strong')],
		[],
		keyLine(keys.label('new-computer'), safe`creates a computer, and opens a session on it`),
		keyLine(keys.label('add'), safe`adds an existing computer or session by its id`),
		keyLine(keys.label('help'), safe`shows every key`),
	];
}

function keyLine(key: Safe, words: Safe): Line {
	return [span(pad(key, 7), 'accent', {bold: true}), span(words)];
}
