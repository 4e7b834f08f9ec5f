import {useStore} from 'zustand';
import type {Problem} from '../../state/fleet.ts';
import {cleanLine} from '../../text/clean.ts';
import {pad} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {wrapText} from '../../text/wrap.ts';
import {Pane} from '../kit/pane.tsx';
import type {Rect} from '../layout.ts';
import {useApp} from '../use-app.ts';

/** What the main area says while nothing is open: the first screen, or the next key to press. */
export function WelcomePane(props: {
	readonly rect: Rect;
	readonly isFocused: boolean;
	readonly isConnected: boolean;
	readonly hasRows: boolean;
}) {
	const {rect, isFocused, isConnected, hasRows} = props;
	const problem = useStore(useApp().stores.connection, state => state.problem);
	const width = rect.width - 8;
	const lines = isConnected ? [...problemLines(problem, width), ...nextKey(hasRows)] : firstScreen(width);
	const top = Math.max(1, Math.min(4, Math.floor((rect.height - 2 - lines.length) / 3)));
	const title = isConnected ? safe`Work` : safe`Welcome to quarterdeck`;
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

/** What keeps the service out of reach, whole: the footer and the header have no room for it. */
function problemLines(problem: Problem | undefined, width: number): Line[] {
	if (!problem) return [];
	const hint = problem.hint === undefined ? [] : wrapText(cleanLine(problem.hint), width);
	return [
		...wrapText(safe`✗ ${cleanLine(problem.what)}`, width).map(row => [span(row, 'bad')]),
		...hint.map(row => [span(row, 'dim')]),
		[],
	];
}

function nextKey(hasRows: boolean): Line[] {
	if (hasRows)
		return [
			keyLine(safe`Enter`, safe`opens what the cursor is on`),
			keyLine(safe`j k`, safe`move, Tab goes to the next pane`),
			keyLine(safe`n`, safe`opens a new session`),
			keyLine(safe`?`, safe`shows every key`),
		];
	return [
		[span(safe`Nothing here yet.`, 'strong')],
		[],
		keyLine(safe`n`, safe`creates a computer, and opens a session on it`),
		keyLine(safe`a`, safe`adds a computer or session that exists already, by its id`),
		keyLine(safe`?`, safe`shows every key`),
	];
}

function firstScreen(width: number): Line[] {
	const paragraph = (text: Safe): Line[] => wrapText(text, width).map(row => [span(row)]);
	return [
		...paragraph(
			safe`All your agent sessions in one place: which one needs you, what each is doing, is that machine up yet.`,
		),
		[],
		[span(safe`Connect`, 'heading')],
		keyLine(safe`c`, safe`to a hosted service: asks for its address and where the key comes from`),
		[],
		[span(safe`Work locally`, 'heading')],
		keyLine(safe`l`, safe`starts a service on this machine; no account needed`),
		[],
		...paragraph(
			safe`Keys are made in the key settings of the web app. Scripts set QUARTERDECK_BASE_URL and QUARTERDECK_API_KEY; P comes back here and to every other service.`,
		),
		[],
		keyLine(safe`q`, safe`quits`),
	];
}

function keyLine(key: Safe, words: Safe): Line {
	return [span(pad(key, 7), 'accent', {bold: true}), span(words)];
}
