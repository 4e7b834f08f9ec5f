import type {AgentRequest} from '../../domain/sessions/agent-request.ts';
import type {Connection} from '../../state/connection.ts';
import type {Problem} from '../../state/fleet.ts';
import {runsOutside, type SessionItem} from '../../state/sessions/session-items.ts';
import type {Stream} from '../../state/stream.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {type Line, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {barLine} from '../../text/charts/bar.ts';
import {dateTime} from '../../text/values/times.ts';
import {withoutRequest} from '../banner-lines.ts';
import type {KeyMap} from '../keys/key-map.ts';
import type {Row} from '../kit/pane.tsx';
import {strings} from './strings.ts';

const words = strings.phase;

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
	const share = walkedShare(stream);
	return [
		{line: []},
		...(share === undefined
			? []
			: [{line: [span(safe`  `), ...barLine(share, Math.max(0, width - 4), 'info')]}]),
		...text.flatMap(([text, tone]) =>
			wrapText(text, width - 1).map(row => ({line: [span(safe`  `), span(row, tone)]})),
		),
	];
}

/** The share of the first read that is done, if the service reports the number of messages. */
function walkedShare(stream: Stream | undefined): number | undefined {
	if (stream?.phase.name !== 'walking' || !stream.phase.total) return undefined;
	return stream.phase.read / stream.phase.total;
}

function outsideText({state, signal}: SessionItem, label: KeyMap['label']): Safe {
	if (signal?.computer) return words.elsewhere(cleanLine(signal.computer.name, 60));
	return state === 'ended' ? words.ended(label('continue-here')) : words.outside(label('go-to-terminal'));
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
			[item.folder ? words.folder(cleanLine(item.folder)) : words.unknownFolder, 'dim'],
			...(signal
				? [[words.lastSignal(cleanLine(signal.lastEvent, 60), dateTime(signal.lastEventAt)), 'dim'] as const]
				: []),
			...(missing ? [[cleanLine(`${missing.what}. ${missing.hint ?? ''}`), 'dim'] as const] : []),
			...(known?.transcriptPath !== undefined && !missing
				? [[words.unknownTranscript(cleanLine(known.transcriptPath)), 'dim'] as const]
				: []),
			...(known?.atService === false ? [[words.unknownToService(label('refresh')), 'dim'] as const] : []),
		];
	}
	switch (stream?.phase.name) {
		case undefined:
		case 'loading':
			if (blocked && !stream?.transcript) return problemText(blocked, words.retry(label('refresh'), wayOut));
			return [[words.loading, 'dim']];
		case 'walking': {
			const {read, total} = stream.phase;
			return [[total === undefined ? words.loadingHistory(read) : words.loadingShare(read, total), 'dim']];
		}
		case 'failed':
			return problemText(stream.phase.problem, words.retry(label('refresh'), wayOut));
		case 'ready':
			if (hidden > 0) return [[words.onlyHidden(label('show-hidden')), 'dim']];
			if (stream.transcript) return [[words.emptyTranscript, 'dim']];
			if (stream.hasUnreadable) return [[words.unreadable, 'warn']];
			return [
				[isWriting ? words.noneWriting(label('send')) : words.none(label('reply'), label('compose')), 'dim'],
			];
	}
}

/** Longest part of a request that stands in place of messages, UTF-16 units: it is cleaned for each frame. */
const maxRequestLength = 2000;

/** What a session outside the service asks. */
function requestText({tool, text = ''}: AgentRequest, key: Safe): PhaseText {
	return [
		[words.permission(cleanLine(tool ?? '', 40)), 'warn'],
		[safe``, 'text'],
		[cleanText(text, {maxLength: maxRequestLength}), 'text'],
		[safe``, 'text'],
		[words.answer(key), 'dim'],
	];
}

function problemText({what, hint}: Problem, retry: Safe): PhaseText {
	return [
		[safe`✗ ${cleanLine(withoutRequest(what))}`, 'bad'],
		...(hint === undefined ? [] : [[cleanLine(hint), 'dim'] as const]),
		[retry, 'dim'],
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
	if (phase.name === 'walking') return [span(strings.title.loadingHistory(phase.read), 'dim')];
	if (readAt === undefined) return [span(strings.title.cached, 'dim')];
	if (transcript && transcript.unreadable > 0)
		return [span(strings.title.unreadableLines(transcript.unreadable), 'warn')];
	if (stream.hasUnreadable) return [span(strings.title.unreadableMessages, 'warn')];
	if (stream.hasUnknownRoles) return [span(strings.title.unknownRoles, 'warn')];
	return [];
}
