import {useStore} from 'zustand';
import type {KeyMap} from '../../keys/key-map.ts';
import type {Problem} from '../../state/fleet.ts';
import {cleanLine} from '../../text/clean.ts';
import {pad} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {wrapText} from '../../text/wrap.ts';
import {Pane} from '../kit/pane.tsx';
import type {Rect} from '../layout.ts';
import {useApp} from '../use-app.ts';
import {firstScreen} from './first-screen.ts';

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
