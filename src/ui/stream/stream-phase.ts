import type {AgentRequest} from '../../domain/sessions/agent-request.ts';
import type {Connection} from '../../state/connection.ts';
import type {Problem} from '../../state/fleet.ts';
import {runsOutside, type SessionItem} from '../../state/sessions/session-items.ts';
import type {Stream} from '../../state/stream.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {type Line, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {dateTime} from '../../text/values/times.ts';
import {withoutRequest} from '../banner-lines.ts';
import type {KeyMap} from '../keys/key-map.ts';
import type {Row} from '../kit/pane.tsx';

type Around = {
	readonly blocked?: Problem | undefined;
	readonly wayOut?: Safe | undefined;
	readonly isWriting?: boolean;
};

/**
 * Rows shown in place of messages while there are none. `blocked`: why they can't be read now; `wayOut`: the key to
 * press before those of the stream; `isWriting`: the session's composer has the keyboard.
 */
export function phaseRows(
	stream: Stream | undefined,
	item: SessionItem,
	hidden: number,
	width: number,
	keys: Pick<KeyMap, 'label'>,
	around: Around = {},
): Row[] {
	const text = phaseText(stream, item, hidden, keys, around);
	const rows = text.flatMap(([words, tone]) => wrapText(words, width - 1).map(row => span(row, tone)));
	return [{line: []}, ...rows.map(row => ({line: [span(safe`  `), row]}))];
}

function outsideText({state, signal}: SessionItem, label: KeyMap['label']): Safe {
	if (signal?.computer)
		return safe`This session runs in a terminal on ${cleanLine(signal.computer.name, 60)}. Answer it there.`;
	return state === 'ended'
		? safe`This session ran in another terminal and has ended: ${label('continue-here')} continues it here.`
		: safe`This session runs in another terminal. Answer it there: ${label('go-to-terminal')} goes to it.`;
}

type PhaseText = readonly (readonly [Safe, Tone])[];

function phaseText(
	stream: Stream | undefined,
	item: SessionItem,
	hidden: number,
	{label}: Pick<KeyMap, 'label'>,
	{blocked, wayOut, isWriting = false}: Around,
): PhaseText {
	const {signal, known, reason, request} = item;
	if (runsOutside(item, stream) && request) return requestText(request, label('answer-request'));
	const missing = stream?.phase.name === 'failed' && stream.phase.problem.isMissing && stream.phase.problem;
	if (runsOutside(item, stream) && (missing || !stream?.transcript)) {
		const asks = item.state === 'permission' || item.state === 'input';
		const text = cleanLine(reason ?? '');
		return [
			...(reason === undefined
				? []
				: [asks ? ([safe`asks: ${text}`, 'warn'] as const) : ([text, 'text'] as const)]),
			[outsideText(item, label), 'dim'],
			[item.folder ? safe`folder: ${cleanLine(item.folder)}` : safe`folder: unknown`, 'dim'],
			...(signal
				? [
						[
							safe`last signal: ${cleanLine(signal.lastEvent, 60)}, ${dateTime(signal.lastEventAt)}`,
							'dim',
						] as const,
					]
				: []),
			...(missing ? [[cleanLine(`${missing.what}. ${missing.hint ?? ''}`), 'dim'] as const] : []),
			...(known?.transcriptPath !== undefined && !missing
				? [
						[
							safe`Its transcript can't be shown: only those of Claude Code and codex are read. It is ${cleanLine(known.transcriptPath)}`,
							'dim',
						] as const,
					]
				: []),
			...(known?.atService === false
				? [[safe`The service doesn't know this session; ${label('refresh')} asks it again.`, 'dim'] as const]
				: []),
		];
	}
	switch (stream?.phase.name) {
		case undefined:
		case 'loading':
			if (blocked && !stream?.transcript) return problemText(blocked, label('refresh'), wayOut);
			return [[safe`Loading messages…`, 'dim']];
		case 'walking': {
			const {read, total} = stream.phase;
			const of = total === undefined ? safe`` : safe` of ${total}`;
			return [[safe`Loading the whole history, this once: ${read}${of} messages so far…`, 'dim']];
		}
		case 'failed':
			return problemText(stream.phase.problem, label('refresh'), wayOut);
		case 'ready':
			if (hidden > 0) return [[safe`All messages are hidden; ${label('show-hidden')} shows them.`, 'dim']];
			if (stream.transcript) return [[safe`The transcript has no messages yet.`, 'dim']];
			if (stream.hasUnreadable) return [[safe`The service sent messages that can't be read.`, 'warn']];
			return [
				[
					isWriting
						? safe`No messages yet. Type a message; ${label('send')} sends it.`
						: safe`No messages yet. ${label('reply')} or ${label('compose')} writes the first one.`,
					'dim',
				],
			];
	}
}

/** Longest part of a request that stands in place of messages, UTF-16 units: it is cleaned for each frame. */
const maxRequestLength = 2000;

export function permissionText(tool: string): Safe {
	return safe`The agent asks for permission: ${cleanLine(tool, 40)}`;
}

/** What a session outside the service asks. */
function requestText({tool, text = ''}: AgentRequest, key: Safe): PhaseText {
	return [
		[permissionText(tool ?? ''), 'warn'],
		[safe``, 'text'],
		[cleanText(text, {maxLength: maxRequestLength}), 'text'],
		[safe``, 'text'],
		[safe`${key} shows the whole request. You can answer it here or in its own terminal.`, 'dim'],
	];
}

function problemText({what, hint}: Problem, key: Safe, wayOut: Safe | undefined): PhaseText {
	return [
		[safe`✗ ${cleanLine(withoutRequest(what))}`, 'bad'],
		...(hint === undefined ? [] : [[cleanLine(hint), 'dim'] as const]),
		[wayOut === undefined ? safe`${key} tries again.` : safe`After ${wayOut}: ${key} tries again.`, 'dim'],
	];
}

/** The problem that blocks the service's messages, if any. */
export function blockedBy({state, problem}: Connection): Problem | undefined {
	return state === 'offline' || state === 'slowed' || state === 'unauthorized' ? problem : undefined;
}

/**
 * How current the messages on screen are, in a word or two; empty when up to date. `isTold`: the header or the banner
 * says that the service can't be used.
 */
export function phaseWord(
	stream: Stream | undefined,
	item: SessionItem,
	blocked: Problem | undefined,
	isTold: boolean,
): Line {
	// Without messages, the text in their place explains it.
	if (stream === undefined || stream.entries.length === 0) return [];
	const {phase, readAt, transcript} = stream;
	if (!transcript && runsOutside(item, stream)) return [];
	if (blocked && !transcript && !isTold)
		return [span(safe`✗ ${cleanLine([withoutRequest(blocked.what), blocked.hint].join(' '), 100)}`, 'bad')];
	if (phase.name === 'failed' && (transcript || !isTold))
		return [span(safe`✗ ${cleanLine(withoutRequest(phase.problem.what), 60)}`, 'bad')];
	if (phase.name === 'walking') return [span(safe`loading history ${phase.read}`, 'dim')];
	if (readAt === undefined) return [span(safe`cached`, 'dim')];
	if (transcript && transcript.unreadable > 0)
		return [
			span(
				transcript.unreadable === 1
					? safe`1 line can't be read`
					: safe`${transcript.unreadable} lines can't be read`,
				'warn',
			),
		];
	if (stream.hasUnreadable) return [span(safe`some messages can't be read`, 'warn')];
	if (stream.hasUnknownRoles) return [span(safe`the service doesn't say who wrote what`, 'warn')];
	return [];
}
