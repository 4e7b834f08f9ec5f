import {useStore} from 'zustand';
import {awaitsComputer, isBlocked} from '../../state/connection.ts';
import type {SessionGroup} from '../../state/sessions/session-groups.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {program} from '../../text/values/own-program.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {Pane} from '../kit/pane.tsx';
import type {Rect} from '../layout.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {problemLines} from './problem-lines.ts';
import {groupTitle} from './session-panes.tsx';

/** Maximum text width, in columns; longer lines are hard to read. */
const maxWidth = 72;
const keyWidth = 8;

/** The first-run screen, at most `width` columns wide: the purpose of the app and the two ways to start. */
function firstScreen(width: number, keys: KeyMap): Line[] {
	const columns = Math.min(maxWidth, width);
	const indent = span(pad(safe``, Math.floor((width - columns) / 2)));
	const paragraph = (text: Safe, tone?: 'dim'): Line[] =>
		wrapText(text, columns).map(row => [span(row, tone)]);
	const choice = (key: Safe, text: Safe): Line[] =>
		wrapText(text, Math.max(8, columns - keyWidth)).map((row, index) => [
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
		...paragraph(safe`To get a key, open the key settings in the service's web app.`, 'dim'),
		...paragraph(safe`Scripts can set QUARTERDECK_BASE_URL and QUARTERDECK_API_KEY instead.`, 'dim'),
		...paragraph(safe`To run a service yourself: \`${program} serve --port 4311\``, 'dim'),
	];
	return lines.map(line => (line.length === 0 ? line : [indent, ...line]));
}

/** The main area when nothing is open: the first-run screen, or the next key to press, also for a collapsed group. */
export function WelcomePane(props: {
	readonly rect: Rect;
	readonly isFocused: boolean;
	readonly isConnected: boolean;
	readonly hasRows: boolean;
	/** The collapsed group at the cursor. */
	readonly group: SessionGroup | undefined;
}) {
	const {rect, isFocused, isConnected, hasRows, group} = props;
	const app = useApp();
	const {stores, keys, profile} = app;
	const hasNewKey = profile.newKey !== undefined;
	const problem = useStore(stores.connection, state => state.problem);
	// The banner explains it.
	const cannotRead = useStore(stores.connection, isBlocked);
	const width = rect.width - 8;
	const keyLines = () => {
		if (cannotRead && !hasRows)
			return wrapText(
				safe`Sessions and computers appear here once the service answers and accepts the key.`,
				width,
			).map(row => [span(row, 'dim')]);
		if (group) return groupKeys(group, keys);
		return hasRows ? nextKeys(keys) : emptyLines(app, width);
	};
	const lines = isConnected
		? [
				// In full: the header and footer have no room for it.
				...(problem && !cannotRead
					? problemLines(safe`✗ ${cleanLine(problem.what)}`, problem.hint, width)
					: []),
				...keyLines(),
			]
		: hasNewKey
			? newKeyLines(width, keys)
			: firstScreen(width, keys);
	const top = Math.max(1, Math.min(4, Math.floor((rect.height - 2 - lines.length) / 3)));
	const title =
		group && isConnected
			? groupTitle(group)
			: isConnected || hasNewKey
				? safe`Work`
				: safe`Welcome to quarterdeck`;
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

/** Shown until the user has said which account the key opens. */
function newKeyLines(width: number, keys: KeyMap): Line[] {
	return [
		[span(safe`The key in QUARTERDECK_API_KEY is new here.`, 'strong')],
		[],
		...wrapText(safe`Nothing stored here is shown or sent until you say which account it opens.`, width).map(
			(row): Line => [span(row, 'dim')],
		),
		[],
		keyLine(keys.label('ask-again'), safe`asks again`),
	];
}

function nextKeys(keys: KeyMap): Line[] {
	return [
		keyLine(keys.label('open'), safe`opens the selected item`),
		keyLine(
			safe`${keys.label('down')} ${keys.label('up')}`,
			safe`move, ${keys.label('next-pane')} goes to the next pane`,
		),
		keyLine(keys.label('new-session'), safe`opens a new session`),
		keyLine(keys.label('help'), safe`shows every key`),
	];
}

/** Shown while nothing is known: how to start, and why a hosted service lists nothing. */
function emptyLines(app: AppParts, width: number): Line[] {
	const {
		keys,
		profile: {host},
	} = app;
	if (awaitsComputer(app))
		return [
			[span(safe`Setting up this machine…`, 'strong')],
			[],
			keyLine(keys.label('new-session'), safe`opens a new session`),
			keyLine(keys.label('help'), safe`shows every key`),
		];
	return [
		[span(safe`Nothing here yet.`, 'strong')],
		...(host === undefined
			? []
			: wrapText(
					safe`Computers and sessions that you create or add appear here. This service can't list others.`,
					width,
				).map(row => [span(row, 'dim')])),
		[],
		keyLine(keys.label('new-session'), safe`creates a computer, and opens a session on it`),
		keyLine(keys.label('add'), safe`adds an existing computer or session by its id`),
		keyLine(keys.label('help'), safe`shows every key`),
	];
}

function groupKeys({count}: SessionGroup, keys: KeyMap): Line[] {
	const expand = safe`${keys.label('open')}, ${keys.labels('expand-group')}`;
	const width = textWidth(expand) + 2;
	return [
		[
			span(
				count === 1 ? safe`1 session is collapsed here.` : safe`${count} sessions are collapsed here.`,
				'strong',
			),
		],
		[],
		keyLine(expand, safe`expands the group`, width),
		keyLine(keys.labels('collapse-group'), safe`collapses it again, from any of its sessions`, width),
		keyLine(keys.label('group-sessions'), safe`groups the sessions differently`, width),
	];
}

function keyLine(key: Safe, text: Safe, width = 7): Line {
	return [span(pad(key, width), 'accent', {bold: true}), span(text)];
}
